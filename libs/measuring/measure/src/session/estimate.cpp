#include "batchscope/measure/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"

namespace batchscope::measure {
namespace {

TimeEstimate bounds(const schema::MeasurementPlan& plan, int configs) {
  TimeEstimate estimate;
  estimate.visits = int64_t{plan.blocks} * configs;
  estimate.at_least_s = static_cast<double>(estimate.visits) * plan.min_visit_s;
  const bool bounded = plan.budget_fixed || !plan.blocks_fixed;
  estimate.at_most_s =
      bounded ? plan.budget_s : static_cast<double>(estimate.visits) * plan.timeout_s;
  return estimate;
}

void set_likely(TimeEstimate& estimate, double seconds) {
  estimate.likely_s = std::min(seconds, estimate.at_most_s);
  estimate.at_least_s = std::min(estimate.at_least_s, estimate.likely_s);
}

}  // namespace

TimeEstimate estimate_time(const schema::MeasurementPlan& plan, int configs, double startup_s) {
  TimeEstimate estimate = bounds(plan, configs);
  // Warm-up takes about as long as the shortest timed part.
  const double timed = std::max(plan.min_visit_s, plan.timed_over_startup * startup_s);
  set_likely(estimate,
             static_cast<double>(estimate.visits) * (startup_s + plan.min_visit_s + timed));
  estimate.basis =
      fmt::format("assumes {:.1f} s to start and load, and short iterations", startup_s);
  return estimate;
}

TimeEstimate estimate_time(const schema::MeasurementPlan& plan, int configs,
                           const schema::RunFile& probe) {
  if (probe.visits.empty()) return estimate_time(plan, configs);
  TimeEstimate estimate = bounds(plan, configs);
  double seconds = 0;
  for (const schema::Visit& visit : probe.visits)
    seconds += static_cast<double>(visit.wall_ns) * 1e-9;
  const auto visits = static_cast<double>(probe.visits.size());
  set_likely(estimate, static_cast<double>(estimate.visits) * seconds / visits);
  estimate.basis = fmt::format("from {}", base::counted(probe.visits.size(), "visit"));
  return estimate;
}

}  // namespace batchscope::measure
