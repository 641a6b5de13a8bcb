#include "batchscope/charts/scatter.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace batchscope::charts {
namespace {

// Where the largest is so many times the smallest, points crowd at the low end of a linear axis.
constexpr double kWide = 4;
// A bound so many times as far would squeeze all points into a corner.
constexpr double kFar = 3;

bool is_wide(const std::vector<ScatterPoint>& points, double ScatterPoint::*axis) {
  double low = 1e300, high = 0;
  for (const ScatterPoint& point : points) {
    low = std::min(low, point.*axis);
    high = std::max(high, point.*axis);
  }
  return low > 0 && high > kWide * low;
}

}  // namespace

bool Scatter::logarithmic_across() const {
  return !linear && is_wide(points, &ScatterPoint::x);
}

bool Scatter::logarithmic_up() const {
  return (!level || level->value > 0) && is_wide(points, &ScatterPoint::y);
}

void finish(Scatter& scatter, const std::optional<ScatterBound>& bound) {
  std::stable_sort(scatter.points.begin(), scatter.points.end(),
                   [](const ScatterPoint& a, const ScatterPoint& b) { return a.x < b.x; });
  if (!bound || scatter.points.empty()) return;
  const bool near = bound->value <= kFar * scatter.points.back().x &&
                    kFar * bound->value >= scatter.points.front().x;
  if (near) {
    scatter.bound = bound;
  } else {
    scatter.note += fmt::format(" The {} is beyond the axis.", bound->text);
  }
}

}  // namespace batchscope::charts
