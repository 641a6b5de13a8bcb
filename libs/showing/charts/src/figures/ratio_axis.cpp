#include "batchscope/charts/ratio_axis.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/findings/wording.hpp"

namespace batchscope::charts {
namespace {

constexpr double kLeastReach = 0.05;  // to either side of no difference
constexpr double kRoom = 1.25;        // beyond the outermost
constexpr double kMostSteps = 2.4;    // between no difference and an end

}  // namespace

stats::Interval ratio_ends(std::span<const findings::Comparison> comparisons,
                           std::optional<double> margin) {
  double reach = std::log1p(kLeastReach);
  const auto include = [&](double ratio) { reach = std::max(reach, std::abs(std::log(ratio))); };
  for (const findings::Comparison& each : comparisons) {
    if (each.ratio.value > 0) include(each.ratio.value);
  }
  if (margin) include(1 + *margin);
  return {std::exp(-kRoom * reach), std::exp(kRoom * reach)};
}

std::vector<AxisTick> ratio_ticks(const stats::Interval& ends) {
  double step = 0.01;
  for (const double wider : {0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0}) {
    if (std::log(ends.high) / step > kMostSteps) step = wider;
  }
  std::vector<AxisTick> ticks;
  for (const double ratio : {1 / (1 + step), 1.0, 1 + step}) {
    if (ends.contains(ratio)) ticks.push_back({ratio, findings::three_digits(ratio)});
  }
  return ticks;
}

}  // namespace batchscope::charts
