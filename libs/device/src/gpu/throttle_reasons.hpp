#pragma once

#include <vector>

#include "batchscope/device/gpu_monitor.hpp"

namespace batchscope::device {

// NVML's bits, the idle one left out; bits without a name become one `unknown`.
std::vector<ThrottleReason> decode_throttle_reasons(unsigned long long bits);

}  // namespace batchscope::device
