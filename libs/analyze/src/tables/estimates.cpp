#include "estimates.hpp"

#include <cmath>

namespace batchscope::analyze {

findings::Estimate exp_estimate(std::span<const double> logs, double level, stats::Method method) {
  const auto estimate = stats::estimate_mean(logs, method);
  if (!estimate) return {std::exp(logs.front()), std::nullopt};
  const stats::Interval interval = stats::two_sided_interval(*estimate, level);
  return {std::exp(estimate->value),
          stats::Interval{std::exp(interval.low), std::exp(interval.high)}};
}

findings::Estimate scaled(const findings::Estimate& estimate, double factor) {
  findings::Estimate result{estimate.value * factor, std::nullopt};
  if (estimate.ci)
    result.ci = stats::Interval{estimate.ci->low * factor, estimate.ci->high * factor};
  return result;
}

findings::Estimate inverted(const findings::Estimate& estimate, double numerator) {
  findings::Estimate result{numerator / estimate.value, std::nullopt};
  if (estimate.ci) {
    result.ci = stats::Interval{numerator / estimate.ci->high, numerator / estimate.ci->low};
  }
  return result;
}

findings::Estimate less_one(const findings::Estimate& estimate) {
  findings::Estimate result{estimate.value - 1, std::nullopt};
  if (estimate.ci) result.ci = stats::Interval{estimate.ci->low - 1, estimate.ci->high - 1};
  return result;
}

}  // namespace batchscope::analyze
