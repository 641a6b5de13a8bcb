#pragma once

#include "batchscope/nvml/library.hpp"
#include "batchscope/telemetry/sample.hpp"

namespace batchscope::sampling {

// The programs that compute on a GPU or a slice: a question as the others.
nvml::Status processes(const nvml::Library& library, nvml::Device device,
                       telemetry::GpuReading& reading);

}  // namespace batchscope::sampling
