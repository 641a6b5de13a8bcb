#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/system_root.hpp"

namespace batchscope::host {

// What perf_event_open(2) lets this process count about itself.
struct PerfAccess {
  bool hardware = false;            // instructions, user space only
  bool software = false;            // the task clock
  std::optional<int64_t> paranoid;  // /proc/sys/kernel/perf_event_paranoid
  std::string refusal;              // the kernel's answer when `hardware` is false
};

// Opens a counter of each kind and closes it again; reads the setting through `root`.
PerfAccess probe_perf_counters(const base::SystemRoot& root);

struct ClockSource {
  std::string current;  // "tsc", "kvm-clock", "arch_sys_counter"; empty: not visible
  std::vector<std::string> available;
  // The x86 time-stamp counter runs at one rate and through sleep (flags constant_tsc and
  // nonstop_tsc); absent on other processors.
  std::optional<bool> invariant_tsc;
};
ClockSource read_clock_source(const base::SystemRoot& root);

}  // namespace batchscope::host
