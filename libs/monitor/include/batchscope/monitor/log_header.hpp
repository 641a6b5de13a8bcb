#pragma once

#include <string>
#include <vector>

#include "batchscope/base/units.hpp"
#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::monitor {

// Of a log that begins now, on this machine.
telemetry::LogHeader log_header(const std::string& tool_version, base::Nanoseconds interval,
                                std::vector<std::string> command);

}  // namespace batchscope::monitor
