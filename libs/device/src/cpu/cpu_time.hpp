#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "batchscope/device/cpu_list.hpp"

namespace batchscope::device {

// CPU time of /proc/stat summed over CPUs, from boot.
struct CpuTime {
  int cpus = 0;
  int64_t total_ns = 0;  // idle included
  int64_t busy_ns = 0;   // user, nice, system and interrupts
  int64_t steal_ns = 0;
};

// What the kernel counts CPU time in (USER_HZ), in nanoseconds.
int64_t tick_ns();

// Over `watched` CPUs, or all when it is empty. Absent when the text shows none of them.
std::optional<CpuTime> parse_cpu_time(std::string_view proc_stat, const CpuList& watched);

}  // namespace batchscope::device
