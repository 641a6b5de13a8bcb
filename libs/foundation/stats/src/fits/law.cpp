#include "batchscope/stats/law.hpp"

#include <algorithm>
#include <cmath>

namespace batchscope::stats {

double Law::evaluate(double x) const {
  const std::vector<double>& c = coefficients;
  switch (kind) {
    case LawKind::affine:
      return c[0] + c[1] * x;
    case LawKind::staircase:
      return c[0] + c[1] * std::ceil(x / c[2]);
    case LawKind::roofline:
      return std::max({c[0], c[1] + c[2] * x, c[3] * x});
    case LawKind::two_segments:
      return x <= c[2] ? c[0] + c[1] * x : c[3] + c[4] * x;
  }
  return 0.0;
}

std::size_t fewest_points(LawKind kind) {
  return kind == LawKind::affine ? 2 : 6;
}

}  // namespace batchscope::stats
