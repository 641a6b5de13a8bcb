#include "batchscope/charts/ratio_axis.hpp"

#include <algorithm>
#include <cmath>

namespace batchscope::charts {
namespace {

constexpr double kLeastReach = 0.05;  // to either side of no difference
constexpr double kRoom = 1.25;        // beyond the outermost
constexpr double kMostSteps = 2.4;    // between no difference and an end

}  // namespace

RatioAxis::RatioAxis(std::span<const findings::Comparison> comparisons,
                     std::optional<double> margin)
    : margin_(margin) {
  double reach = std::log1p(kLeastReach);
  const auto include = [&](double ratio) { reach = std::max(reach, std::abs(std::log(ratio))); };
  for (const findings::Comparison& each : comparisons) {
    if (each.ratio.value > 0) include(each.ratio.value);
  }
  if (margin) include(1 + *margin);
  reach_ = kRoom * reach;
}

double RatioAxis::place(double ratio) const {
  return std::log(ratio) / reach_;
}

bool RatioAxis::is_beyond(double ratio) const {
  return !(ratio > 0) || std::abs(place(ratio)) > 1;
}

std::vector<double> RatioAxis::marks() const {
  double step = 0.01;
  for (const double wider : {0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0}) {
    if (reach_ / step > kMostSteps) step = wider;
  }
  std::vector<double> marks{1 / (1 + step), 1, 1 + step};
  std::erase_if(marks, [&](double ratio) { return is_beyond(ratio); });
  return marks;
}

}  // namespace batchscope::charts
