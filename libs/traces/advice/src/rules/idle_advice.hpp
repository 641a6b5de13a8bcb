#pragma once

#include <string>

#include "rules.hpp"

namespace batchscope::advice {

// What would make idle time of that cause shorter, as what was recorded shows: how the loader
// works, what the host waits in, whether graphs run already.
std::string idle_advice(const DeviceFacts& device, attribution::Part cause);

}  // namespace batchscope::advice
