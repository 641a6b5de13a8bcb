#include "observe.hpp"

#include <vector>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::tune {
namespace {

constexpr double kSecondsANanosecond = 1e-9;

std::vector<double> seconds(std::span<const int64_t> nanoseconds) {
  std::vector<double> values;
  values.reserve(nanoseconds.size());
  for (const int64_t ns : nanoseconds)
    values.push_back(static_cast<double>(ns) * kSecondsANanosecond);
  return values;
}

}  // namespace

Observation observe(const schema::Visit& visit, const schema::RunConfig& config, const Goal& goal) {
  Observation seen;
  std::vector<double> medians;
  for (const auto& instance : schema::by_instance(visit)) {
    if (!instance.samples_ns.empty())
      medians.push_back(stats::median(seconds(instance.samples_ns)));
  }
  seen.time_s = medians.size() == 1 ? medians.front() : stats::harmonic_mean(medians);
  const std::vector<double> all = seconds(visit.samples_ns);
  const auto probability = probability_of(goal.latency_of);
  seen.latency_s = probability ? stats::quantile(all, *probability) : stats::mean(all);
  const schema::Memory& memory = visit.memory;
  const bool on_host = config.device == "cpu" && memory.peak_rss_bytes;
  seen.memory_bytes = on_host                      ? memory.peak_rss_bytes
                      : memory.peak_reserved_bytes ? memory.peak_reserved_bytes
                                                   : memory.peak_allocated_bytes;
  seen.wall_s = static_cast<double>(visit.wall_ns) * kSecondsANanosecond;
  // With all that is done beside loading: preparing, and waiting for the other instances.
  seen.iterations =
      static_cast<double>(visit.wall_ns - visit.load_ns) * kSecondsANanosecond / seen.time_s;
  return seen;
}

std::optional<Failure> failure_of(const schema::Event& event) {
  if (!event.config) return std::nullopt;
  if (event.kind == "out-of-memory") return Failure::out_of_memory;
  const bool failed = event.kind == "crash" || event.kind == "timeout" || event.kind == "error";
  return failed ? std::optional(Failure::other) : std::nullopt;
}

}  // namespace batchscope::tune
