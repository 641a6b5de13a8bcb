#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "batchscope/host/cpu_list.hpp"

namespace batchscope::host {

// CPU time of /proc/stat summed over CPUs, from boot.
struct CpuTime {
  int cpus = 0;
  int64_t total_ns = 0;   // idle included
  int64_t busy_ns = 0;    // user, nice, system and interrupts
  int64_t system_ns = 0;  // of it in the kernel: system and interrupts
  int64_t iowait_ns = 0;  // idle while work waited for disks; the kernel may take some of it back
  int64_t steal_ns = 0;
};

struct CoreTime {
  int core = 0;  // the kernel's number of the logical CPU
  CpuTime time;
};

// What the kernel counts CPU time in (USER_HZ), in nanoseconds.
int64_t tick_ns();

// Each of the `watched` CPUs that are online, or of all when it is empty, in the order of the text:
// by number.
std::vector<CoreTime> parse_core_times(std::string_view proc_stat, const CpuList& watched);

// Their sum. Absent when the text shows none of them.
std::optional<CpuTime> parse_cpu_time(std::string_view proc_stat, const CpuList& watched);

}  // namespace batchscope::host
