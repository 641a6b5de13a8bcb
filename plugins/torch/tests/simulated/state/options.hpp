#pragma once

#include <c10/core/Device.h>
#include <c10/core/DispatchKey.h>

#include <cstddef>
#include <cstdint>

// A simulated accelerator in the place that LibTorch's CPU build leaves empty for CUDA: host memory
// and CPU kernels behind streams, events, a caching allocator and a clock. For tests only.
namespace batchscope::simulated {

inline constexpr c10::DeviceType kType = c10::DeviceType::CUDA;
inline constexpr c10::DispatchKey kKey = c10::DispatchKey::CUDA;

// How the devices behave; from the environment, where each is named SIMULATED_<NAME>. `devices` and
// `capacity_bytes` hold from the first use on, the rest may be set between two operations.
struct Options {
  int devices = 1;
  std::size_t capacity_bytes = std::size_t{512} << 20;  // SIMULATED_CAPACITY_MIB
  // Virtual: no time passes but what is listed here, whatever else the machine does. Real: it is
  // spent by waiting, so that other clocks see it too.
  bool virtual_time = false;
  int64_t launch_ns = 0;            // of the host, to issue an operation or a copy
  int64_t call_ns = 0;              // of the host, for any other call: events, waits
  int64_t operation_ns = -1;        // of the device; < 0: as long as the CPU took (real time only)
  int64_t memory_bytes_per_us = 0;  // and for what an operation reads and writes; 0: nothing
  int64_t copy_bytes_per_us = 10000;  // between host and device; 0: as long as memcpy took
  int64_t copy_ns = 2000;             // the latency of a copy
  int64_t allocation_ns = 0;          // of the host, for a segment that the cache lacks
  bool pageable_waits = false;        // a copy from pageable memory waits for the stream first
  bool compute = true;                // false: kernels take their time and compute nothing
  bool poison = true;                 // fresh memory, and results that are under way, are 0xff
};

Options& options();

}  // namespace batchscope::simulated
