#include "batchscope/stats/law.hpp"

#include <algorithm>
#include <cmath>

namespace batchscope::stats {

std::string_view formula(LawKind kind) {
  switch (kind) {
    case LawKind::affine:
      return "a + b*x";
    case LawKind::staircase:
      return "a + b*ceil(x/q)";
    case LawKind::roofline:
      return "max(launch, a_mem + b_mem*x, b_comp*x)";
    case LawKind::two_segments:
      return "a1 + b1*x up to a size, a2 + b2*x beyond";
  }
  return "";
}

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

std::vector<double> relative_residuals(const Law& law, std::span<const double> x,
                                       std::span<const double> t) {
  std::vector<double> residuals;
  residuals.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) residuals.push_back(t[i] / law.evaluate(x[i]) - 1.0);
  return residuals;
}

}  // namespace batchscope::stats
