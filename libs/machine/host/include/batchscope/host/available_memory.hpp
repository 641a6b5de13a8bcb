#pragma once

#include <cstdint>
#include <string>

#include "batchscope/base/system_root.hpp"
#include "batchscope/gpu/gpus.hpp"

namespace batchscope::host {

// How much memory a batch may take on a device.
struct AvailableMemory {
  int64_t bytes = 0;  // 0: not known
  // Whose: "90 % of the memory available", "the memory of cuda:0"; of a device of which it is not
  // known, also why.
  std::string of;
  bool held = true;  // the system can hold a worker to it
};

// What a worker may take without taking the machine down: of "cpu" nine tenths of what is available
// or of the tightest cgroup, in whole steps of 256 MiB, so that it is the same from run to run; of
// a CUDA device what it has, without what other processes hold of it. Of any other device nothing
// is known.
AvailableMemory memory_room(const base::SystemRoot& root, const gpu::Gpus& gpus,
                            const std::string& device);

}  // namespace batchscope::host
