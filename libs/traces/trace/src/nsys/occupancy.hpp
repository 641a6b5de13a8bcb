#pragma once

#include <cstdint>

#include "batchscope/trace/activity.hpp"
#include "devices.hpp"

namespace batchscope::trace {

// Sets multiprocessors, blocks_per_multiprocessor and occupancy of a launch whose grid, block and
// registers are known, as far as the device is described. `shared_bytes` of a block, static and
// dynamic ones. Occupancy is estimated as torch's profiler has it: the share of the device's
// threads that the launch can fill.
// The limits: the occupancy calculator of CUDA (cuda_occupancy.h) for compute capability 7 and on.
void estimate_occupancy(const Device& device, int64_t shared_bytes, LaunchFacts& launch);

}  // namespace batchscope::trace
