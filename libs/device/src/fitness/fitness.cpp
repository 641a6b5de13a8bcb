#include "batchscope/device/fitness.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "batchscope/base/strings.hpp"
#include "batchscope/findings/wording.hpp"
#include "cpu/cpu_time.hpp"
#include "wording.hpp"

namespace batchscope::device {
namespace {

double seconds(int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

void warn(FitnessReport& report, std::string id, std::string message, std::string fix) {
  report.warnings.push_back({std::move(id), std::move(message), std::move(fix)});
}

// What two readings cannot tell from nothing, in CPUs' worth of work: a tick a CPU, whose errors
// are independent.
double resolution(int cpus, double elapsed_s) {
  return seconds(tick_ns()) * std::sqrt(cpus) / elapsed_s;
}

void assess_steal(const FitnessSnapshot& before, const FitnessSnapshot& after, double elapsed_s,
                  FitnessReport& report) {
  if (!before.steal_ns || !after.steal_ns || !before.total_ns || !after.total_ns) return;
  const int64_t total = *after.total_ns - *before.total_ns;
  if (total <= 0) return;
  // Clamped: the kernel now and then corrects the counter downwards.
  const int64_t stolen = std::max<int64_t>(*after.steal_ns - *before.steal_ns, 0);
  const double ratio = static_cast<double>(stolen) / static_cast<double>(total);
  report.fitness.steal_ratio = ratio;
  const double resolved = resolution(after.watched_cpus, elapsed_s) / after.watched_cpus;
  if (ratio <= std::max(kStealLimit, resolved)) return;
  warn(report, "steal",
       "the hypervisor gave " + findings::percent(ratio) + " of the CPU time to other guests",
       "measure at a quieter time, or on an instance with dedicated CPUs");
}

void assess_others(const FitnessSnapshot& before, const FitnessSnapshot& after, double elapsed_s,
                   FitnessReport& report) {
  if (!before.busy_ns || !after.busy_ns) return;
  const int64_t busy = *after.busy_ns - *before.busy_ns;
  const int64_t own = after.own_ns - before.own_ns;
  const double load = std::max(seconds(busy - own) / elapsed_s, 0.0);
  report.fitness.others_load = load;
  if (load <= std::max(kOthersLoadLimit, resolution(after.watched_cpus, elapsed_s))) return;
  warn(report, "others-load",
       "other processes used " + two_decimals(load) + " CPUs' worth of time on the " +
           counted(after.watched_cpus, "CPU") + " measured on",
       "stop them (top shows which), or pin the measurement to CPUs they do not use");
}

void assess_throttling(const FitnessSnapshot& before, const FitnessSnapshot& after,
                       FitnessReport& report) {
  if (!before.throttling || !after.throttling) return;
  const int64_t time = after.throttling->throttled_ns - before.throttling->throttled_ns;
  const int64_t periods =
      after.throttling->throttled_periods - before.throttling->throttled_periods;
  report.fitness.throttled_ns = std::max<int64_t>(time, 0);
  if (time <= 0 && periods <= 0) return;
  warn(report, "throttled",
       "the cgroup's CPU quota stopped this program in " + counted(periods, "period") + ", " +
           base::format_duration(base::Nanoseconds(std::max<int64_t>(time, 0))) + " in all",
       "use no more threads than the quota has CPUs, or raise the quota (docker run --cpus, the "
       "pod's CPU limit)");
}

void assess_governor(const FitnessSnapshot& after, FitnessReport& report) {
  if (after.governor.empty() || after.governor == "performance") return;
  warn(report, "governor",
       "the CPU frequency governor is '" + after.governor +
           "': the clock follows the load, so times depend on what ran before",
       "sudo cpupower frequency-set -g performance");
}

std::string reasons_in_brackets(const GpuSample& sample) {
  if (!sample.throttle_reasons || sample.throttle_reasons->empty()) return {};
  std::vector<std::string> names;
  for (const ThrottleReason reason : *sample.throttle_reasons)
    names.emplace_back(to_string(reason));
  return " (" + base::join(names, ", ") + ")";
}

void assess_clock(const GpuInfo& gpu, const GpuSample& under_load, FitnessReport& report) {
  const auto usual = gpu.default_sm_clock_mhz ? gpu.default_sm_clock_mhz : gpu.max_sm_clock_mhz;
  if (!under_load.sm_clock_mhz || !usual || *usual <= 0) return;
  const double ratio = static_cast<double>(*under_load.sm_clock_mhz) / static_cast<double>(*usual);
  report.fitness.clock_ratio = ratio;
  if (ratio >= kClockLimit) return;
  warn(report, "gpu-clock",
       "the GPU ran at " + findings::percent(ratio) + " of its usual SM clock" +
           reasons_in_brackets(under_load),
       "let it cool down or raise its power limit (nvidia-smi -q -d PERFORMANCE shows why)");
}

}  // namespace

FitnessReport assess_fitness(const FitnessSnapshot& before, const FitnessSnapshot& after,
                             base::Nanoseconds elapsed) {
  FitnessReport report;
  const double elapsed_s = seconds(elapsed.count());
  if (elapsed_s > 0) {
    assess_steal(before, after, elapsed_s, report);
    assess_others(before, after, elapsed_s, report);
  }
  assess_throttling(before, after, report);
  assess_governor(after, report);
  return report;
}

void add_gpu_fitness(FitnessReport& report, const GpuInfo& gpu, const GpuSample& under_load,
                     int64_t own_processes) {
  assess_clock(gpu, under_load, report);
  if (!under_load.compute_processes) return;
  const int64_t others = std::max<int64_t>(*under_load.compute_processes - own_processes, 0);
  report.fitness.other_gpu_processes = others;
  if (others == 0) return;
  warn(report, "gpu-shared", "programs on the GPU beside this one: " + std::to_string(others),
       "stop them (nvidia-smi shows which), or use another GPU");
}

}  // namespace batchscope::device
