#include "estimates.hpp"

#include <cmath>

namespace batchscope::analyze {

schema::Estimate exp_estimate(std::span<const double> logs, double level, stats::Method method) {
  const auto estimate = stats::estimate_mean(logs, method);
  if (!estimate) return {std::exp(logs.front()), std::nullopt};
  const stats::Interval interval = stats::two_sided_interval(*estimate, level);
  return {std::exp(estimate->value),
          schema::Interval{std::exp(interval.low), std::exp(interval.high)}};
}

schema::Estimate scaled(const schema::Estimate& estimate, double factor) {
  schema::Estimate result{estimate.value * factor, std::nullopt};
  if (estimate.ci)
    result.ci = schema::Interval{estimate.ci->low * factor, estimate.ci->high * factor};
  return result;
}

schema::Estimate inverted(const schema::Estimate& estimate, double numerator) {
  schema::Estimate result{numerator / estimate.value, std::nullopt};
  if (estimate.ci) {
    result.ci = schema::Interval{numerator / estimate.ci->high, numerator / estimate.ci->low};
  }
  return result;
}

schema::Estimate less_one(const schema::Estimate& estimate) {
  schema::Estimate result{estimate.value - 1, std::nullopt};
  if (estimate.ci) result.ci = schema::Interval{estimate.ci->low - 1, estimate.ci->high - 1};
  return result;
}

}  // namespace batchscope::analyze
