#include "observe.hpp"

#include <vector>

#include "batchscope/schema/device_name.hpp"
#include "batchscope/schema/visit.hpp"
#include "batchscope/stats/descriptive.hpp"

namespace batchscope::tune {

std::vector<double> warm_seconds(const timing::SteadyVisit& visit) {
  std::vector<double> all;
  for (const auto& samples : visit.series) {
    for (const int64_t ns : samples) all.push_back(static_cast<double>(ns) * kSecondsANanosecond);
  }
  return all;
}

Observation observe(const timing::SteadyVisit& warm, const schema::RunConfig& config,
                    const Goal& goal) {
  const schema::Visit& visit = *warm.visit;
  Observation seen;
  const std::vector<double> all = warm_seconds(warm);
  seen.typical_s = timing::typical_ns(warm) * kSecondsANanosecond;
  seen.mean_s = timing::mean_ns(warm) * kSecondsANanosecond;
  const auto probability = probability_of(goal.latency_of.value());
  seen.latency_s = probability ? stats::quantile(all, *probability) : stats::mean(all);
  const schema::Memory& memory = visit.memory;
  // A limit is one of processes, whatever these take on a device.
  const bool limited = schema::is_cpu(config.device) || goal.memory_limit_bytes;
  const bool on_host = limited && memory.peak_rss_bytes;
  seen.memory_bytes = on_host                      ? memory.peak_rss_bytes
                      : memory.peak_reserved_bytes ? memory.peak_reserved_bytes
                                                   : memory.peak_allocated_bytes;
  seen.wall_s = static_cast<double>(visit.wall_ns) * kSecondsANanosecond;
  // With all that is done beside loading: preparing, and waiting for the other instances.
  seen.iterations =
      static_cast<double>(visit.wall_ns - visit.load_ns) * kSecondsANanosecond / seen.mean_s;
  return seen;
}

std::vector<Observation> observe(const timing::WarmVisits& visits, const schema::RunConfig& config,
                                 const Goal& goal) {
  std::vector<Observation> all;
  for (const auto& visit : visits.visits) all.push_back(observe(visit, config, goal));
  for (const auto& visit : visits.excluded) {
    all.push_back(observe(visit, config, goal));
    all.back().still_warming = true;
  }
  return all;
}

timing::TimeOfVisit time_of(Objective objective) {
  return objective == Objective::latency ? timing::typical_ns : timing::mean_ns;
}

std::optional<FailureKind> failure_of(const schema::Event& event) {
  if (!event.where.config || !schema::is_failure(event)) return std::nullopt;
  return event.kind == schema::EventKind::out_of_memory ? FailureKind::out_of_memory
                                                        : FailureKind::other;
}

}  // namespace batchscope::tune
