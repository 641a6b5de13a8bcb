#include "readings/cpu_meter.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "batchscope/host/cpu_list.hpp"
#include "batchscope/host/text_fields.hpp"
#include "readings/rise.hpp"

namespace batchscope::host {
namespace {

// What passed on a CPU, or on several.
struct Passed {
  int64_t busy = 0, system = 0, iowait = 0, steal = 0, total = 0;

  void add(const Passed& other) {
    busy += other.busy;
    system += other.system;
    iowait += other.iowait;
    steal += other.steal;
    total += other.total;
  }
};

int64_t idle_ns(const CpuTime& time) {
  return time.total_ns - time.busy_ns - time.iowait_ns - time.steal_ns;
}

// Idle time and the wait for disks may fall a little on a CPU that goes on (proc_stat(5)): they
// count as none then. Anything else that falls is a CPU whose account began anew.
std::optional<Passed> passed_between(const CpuTime& before, const CpuTime& now) {
  const auto busy = rise(before.busy_ns, now.busy_ns);
  const auto system = rise(before.system_ns, now.system_ns);
  const auto steal = rise(before.steal_ns, now.steal_ns);
  if (!busy || !system || !steal) return std::nullopt;
  const int64_t iowait = rise(before.iowait_ns, now.iowait_ns).value_or(0);
  const int64_t idle = rise(idle_ns(before), idle_ns(now)).value_or(0);
  const int64_t total = *busy + *steal + iowait + idle;
  if (total <= 0) return std::nullopt;
  return Passed{*busy, *system, iowait, *steal, total};
}

const CpuTime* find(const std::vector<CoreTime>& cores, int core) {
  const auto at =
      std::lower_bound(cores.begin(), cores.end(), core,
                       [](const CoreTime& one, int number) { return one.core < number; });
  return at != cores.end() && at->core == core ? &at->time : nullptr;
}

double share(int64_t part, int64_t total) {
  return static_cast<double>(part) / static_cast<double>(total);
}

// By affinity and cpuset; empty, which means all, where the system does not say.
CpuList allowed_cpus(const base::SystemRoot& root) {
  const std::string status = root.read("/proc/self/status").value_or("");
  return parse_cpu_list(find_value(status, "Cpus_allowed_list").value_or(""));
}

void put_ratios(const std::vector<CoreTime>& before, const std::vector<CoreTime>& now,
                telemetry::HostReading& reading) {
  Passed sum;
  for (const CoreTime& core : now) {
    const CpuTime* const known = find(before, core.core);
    const auto passed = known != nullptr ? passed_between(*known, core.time) : std::nullopt;
    if (!passed) continue;
    reading.cpu_busy_ratio_by_core.push_back(share(passed->busy, passed->total));
    sum.add(*passed);
  }
  if (sum.total == 0) return;
  reading.cpu_busy_ratio = share(sum.busy, sum.total);
  reading.cpu_system_ratio = share(sum.system, sum.total);
  reading.cpu_iowait_ratio = share(sum.iowait, sum.total);
  reading.cpu_steal_ratio = share(sum.steal, sum.total);
}

}  // namespace

CpuMeter::CpuMeter(const base::SystemRoot& root, const Cgroups& cgroups)
    : throttling_files_(throttling_files(root, cgroups)) {}

void CpuMeter::take(const base::SystemRoot& root, telemetry::HostReading& reading) {
  const std::string stat = root.read("/proc/stat").value_or("");
  auto now = parse_core_times(stat, allowed_cpus(root));
  if (!now.empty()) reading.cpus = static_cast<int64_t>(now.size());
  reading.cpu_busy_ratio_by_core.reserve(now.size());
  put_ratios(before_, now, reading);
  before_ = std::move(now);
  if (reading.cpu_limit) take_throttling(root, reading);
}

void CpuMeter::take_throttling(const base::SystemRoot& root, telemetry::HostReading& reading) {
  const auto now = read_throttling(root, throttling_files_);
  if (now && throttling_before_) {
    const auto periods = rise(throttling_before_->periods, now->periods);
    const auto stopped = rise(throttling_before_->throttled_periods, now->throttled_periods);
    // No period passes where nobody in the group runs.
    if (periods && stopped) {
      reading.cpu_throttled_ratio = *periods > 0 ? std::min(share(*stopped, *periods), 1.0) : 0.0;
    }
  }
  throttling_before_ = now;
}

}  // namespace batchscope::host
