#include "batchscope/host/usage.hpp"

#include <sys/resource.h>

#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

int64_t nanoseconds(const timeval& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + int64_t{time.tv_usec} * 1000;
}

UsageCounts read_usage(int who) {
  rusage usage{};
  if (getrusage(static_cast<__rusage_who>(who), &usage) != 0) return {};
  UsageCounts counts;
  counts.user_ns = nanoseconds(usage.ru_utime);
  counts.system_ns = nanoseconds(usage.ru_stime);
  counts.minor_faults = usage.ru_minflt;
  counts.major_faults = usage.ru_majflt;
  counts.voluntary_switches = usage.ru_nvcsw;
  counts.involuntary_switches = usage.ru_nivcsw;
  counts.max_rss_bytes = int64_t{usage.ru_maxrss} * 1024;
  return counts;
}

}  // namespace

UsageCounts read_own_usage() {
  return read_usage(RUSAGE_SELF);
}

UsageCounts read_children_usage() {
  return read_usage(RUSAGE_CHILDREN);
}

schema::Usage usage_between(const UsageCounts& before, const UsageCounts& after) {
  schema::Usage usage;
  usage.minor_faults = after.minor_faults - before.minor_faults;
  usage.major_faults = after.major_faults - before.major_faults;
  usage.user_ns = after.user_ns - before.user_ns;
  usage.system_ns = after.system_ns - before.system_ns;
  usage.voluntary_switches = after.voluntary_switches - before.voluntary_switches;
  usage.involuntary_switches = after.involuntary_switches - before.involuntary_switches;
  return usage;
}

std::optional<int64_t> read_peak_rss_bytes(const base::SystemRoot& root) {
  const auto kibibytes = find_number(root.read("/proc/self/status").value_or(""), "VmHWM");
  return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
}

bool reset_peak_rss(const base::SystemRoot& root) {
  return root.write("/proc/self/clear_refs", "5");
}

}  // namespace batchscope::host
