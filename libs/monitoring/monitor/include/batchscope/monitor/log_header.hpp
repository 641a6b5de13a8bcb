#pragma once

#include "batchscope/monitor/outputs.hpp"
#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::monitor {

// Of a log that begins now, on this machine.
telemetry::LogHeader log_header(const OutputOptions& options);

}  // namespace batchscope::monitor
