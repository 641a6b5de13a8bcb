#include "batchscope/tables/estimates.hpp"

#include <cmath>

namespace batchscope::tables {
namespace {

stats::Interval exp_of(const stats::Interval& logs) {
  return {std::exp(logs.low), std::exp(logs.high)};
}

}  // namespace

findings::Estimate exp_estimate(std::span<const double> logs, double level, stats::Method method) {
  const auto estimate = stats::estimate_mean(logs, method);
  if (!estimate) return {std::exp(logs.front()), std::nullopt};
  return {std::exp(estimate->value), exp_of(stats::two_sided_interval(*estimate, level))};
}

findings::Estimate scaled(const findings::Estimate& estimate, double factor) {
  findings::Estimate result{estimate.value * factor, std::nullopt};
  if (estimate.ci)
    result.ci = stats::Interval{estimate.ci->low * factor, estimate.ci->high * factor};
  return result;
}

findings::Estimate inverted(const findings::Estimate& estimate, double numerator) {
  if (!estimate.ci) return {numerator / estimate.value, std::nullopt};
  return {numerator / estimate.value,
          stats::Interval{numerator / estimate.ci->high, numerator / estimate.ci->low}};
}

findings::Estimate allowing_for(const timing::Unseen& unseen, const findings::Estimate& estimate) {
  if (!estimate.ci) return estimate;
  return {estimate.value, timing::allowing_for(unseen, *estimate.ci)};
}

findings::Estimate less_one(const findings::Estimate& estimate) {
  findings::Estimate result{estimate.value - 1, std::nullopt};
  if (estimate.ci) result.ci = stats::Interval{estimate.ci->low - 1, estimate.ci->high - 1};
  return result;
}

}  // namespace batchscope::tables
