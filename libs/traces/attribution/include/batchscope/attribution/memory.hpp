#pragma once

#include <cstdint>
#include <vector>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

struct MemoryMoment {
  int64_t time_ns = 0;
  int64_t allocated_bytes = 0;
  int64_t reserved_bytes = 0;  // 0: not said
};

// What the framework's allocator held of one device. Where events say no totals, these are summed,
// and count from what was held when the recording began.
struct DeviceMemory {
  int64_t device = 0;
  bool has_totals = false;
  MemoryMoment peak;  // of allocated bytes
  int64_t peak_reserved_bytes = 0;
  int64_t lowest_bytes = 0;  // of allocated ones
  int64_t events = 0;
  std::vector<MemoryMoment> timeline;  // at most some hundred: the largest of each stretch
  // Of each step of the attribution: what was allocated at its end, and its peak above its start.
  std::vector<int64_t> at_step_end;
  std::vector<int64_t> rise_in_step;
};

// Devices in the order of their number; the host's memory is left out.
std::vector<DeviceMemory> memory_of(const trace::Trace& trace, const std::vector<Step>& steps);

}  // namespace batchscope::attribution
