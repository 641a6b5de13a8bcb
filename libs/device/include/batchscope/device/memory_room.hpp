#pragma once

#include <cstdint>
#include <string>

#include "batchscope/base/system_root.hpp"
#include "batchscope/device/gpu_monitor.hpp"

namespace batchscope::device {

// How much memory a batch may take on a device.
struct MemoryRoom {
  int64_t bytes = 0;
  std::string of;    // whose: "90 % of the memory available", "the memory of cuda:0"
  bool held = true;  // the system can hold a worker to it
};

// What a worker may take without taking the machine down: of "cpu" nine tenths of what is available
// or of the tightest cgroup, in whole steps of 256 MiB, so that it is the same from run to run; of
// an accelerator what it has, without what other processes hold of it. 0 bytes where nothing tells.
MemoryRoom memory_room(const base::SystemRoot& root, const GpuMonitor& gpus,
                       const std::string& device);

}  // namespace batchscope::device
