#pragma once

#include <string>
#include <string_view>

#include "batchscope/base/system_root.hpp"

namespace batchscope::device {

// A processor's name from /proc/cpuinfo ("model name"; on Arm, which has none, from the implementer
// and part numbers), else from the device tree; empty when it is nowhere.
std::string read_cpu_model(const base::SystemRoot& root, std::string_view cpuinfo);

}  // namespace batchscope::device
