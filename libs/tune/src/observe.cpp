#include "observe.hpp"

#include <algorithm>
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

std::span<const int64_t> warm_samples(const schema::InstanceTimes& instance,
                                      int64_t iterations_per_sample,
                                      const stats::PooledWarmup& needed) {
  const auto samples = instance.samples_ns;
  if (samples.empty() || iterations_per_sample != 1) return samples;
  const double typical_ns = stats::median(std::vector<double>(samples.begin(), samples.end()));
  const std::size_t wanted = needed.of(typical_ns).iterations;
  const std::size_t cut = wanted - std::min(wanted, instance.warmup_ns.size());
  return samples.subspan(std::min(cut, samples.size() - 1));
}

Observation observe(const schema::Visit& visit, const schema::RunConfig& config, const Goal& goal,
                    const stats::PooledWarmup& needed) {
  Observation seen;
  std::vector<double> medians, means, all;
  for (const auto& instance : schema::by_instance(visit)) {
    const auto warm = seconds(warm_samples(instance, visit.iterations_per_sample, needed));
    if (warm.empty()) continue;
    medians.push_back(stats::median(warm));
    means.push_back(stats::mean(warm));
    all.insert(all.end(), warm.begin(), warm.end());
  }
  const auto of_instances = [](const std::vector<double>& times) {
    return times.size() == 1 ? times.front() : stats::harmonic_mean(times);
  };
  seen.typical_s = of_instances(medians);
  const double mean_s = of_instances(means);
  seen.time_s = goal.objective == Objective::latency ? seen.typical_s : mean_s;
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
      static_cast<double>(visit.wall_ns - visit.load_ns) * kSecondsANanosecond / mean_s;
  return seen;
}

std::optional<Failure> failure_of(const schema::Event& event) {
  if (!event.config) return std::nullopt;
  if (event.kind == "out-of-memory") return Failure::out_of_memory;
  const bool failed = event.kind == "crash" || event.kind == "timeout" || event.kind == "error";
  return failed ? std::optional(Failure::other) : std::nullopt;
}

}  // namespace batchscope::tune
