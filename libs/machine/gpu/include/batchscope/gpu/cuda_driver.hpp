#pragma once

#include <string>

#include "batchscope/base/result.hpp"

namespace batchscope::gpu {

// The newest CUDA version that the installed driver runs, "13.0", from libcuda without starting it.
// Errors: failed, with how to get the driver.
base::Result<std::string> cuda_driver_version(const std::string& library = "libcuda.so.1");

}  // namespace batchscope::gpu
