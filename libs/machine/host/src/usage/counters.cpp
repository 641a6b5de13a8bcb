#include "batchscope/host/counters.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

// 0, or the errno of the refusal.
int try_counter(uint32_t type, uint64_t config) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = type;
  attributes.config = config;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;  // what perf_event_paranoid = 2 still allows
  attributes.exclude_hv = 1;
  const long fd = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) return errno;
  close(static_cast<int>(fd));
  return 0;
}

}  // namespace

PerfAccess probe_perf_counters(const base::SystemRoot& root) {
  PerfAccess access;
  const int hardware = try_counter(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
  access.hardware = hardware == 0;
  if (hardware != 0) access.refusal = std::generic_category().message(hardware);
  access.software = try_counter(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK) == 0;
  access.paranoid = parse_integer(root.read_trimmed("/proc/sys/kernel/perf_event_paranoid"));
  return access;
}

ClockSource read_clock_source(const base::SystemRoot& root) {
  const std::filesystem::path folder = "/sys/devices/system/clocksource/clocksource0";
  ClockSource clock;
  clock.current = root.read_trimmed(folder / "current_clocksource");
  const std::string available = root.read_trimmed(folder / "available_clocksource");
  for (const std::string_view name : split_fields(available)) clock.available.emplace_back(name);
  const std::string cpuinfo = root.read("/proc/cpuinfo").value_or("");
  if (const auto flags = find_value(cpuinfo, "flags")) {
    const auto words = split_fields(*flags);
    clock.invariant_tsc =
        base::contains(words, "constant_tsc") && base::contains(words, "nonstop_tsc");
  }
  return clock;
}

}  // namespace batchscope::host
