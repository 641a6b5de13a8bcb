#pragma once

#include "batchscope/telemetry/sample.hpp"

namespace batchscope::telemetry {

// Whether a process that is watched runs on this GPU of the sample, or may: nothing is watched; or
// the driver tells of no process there, or only of such as cannot be seen from here (in a container
// it counts as the host does), and nothing that is watched is on another GPU.
bool may_be_theirs(const GpuReading& gpu, const Sample& sample);

}  // namespace batchscope::telemetry
