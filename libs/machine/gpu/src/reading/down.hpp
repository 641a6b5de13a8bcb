#pragma once

#include <string>

#include "batchscope/telemetry/sample.hpp"

namespace batchscope::gpu {

// One that does not answer: which it is, and nothing that was measured.
telemetry::GpuReading down(const telemetry::GpuReading& known, std::string why);

}  // namespace batchscope::gpu
