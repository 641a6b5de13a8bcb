#pragma once

#include <vector>

#include "batchscope/monitor/session.hpp"
#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::monitor {

// All that decides on findings, by name.
std::vector<telemetry::JudgedBy> judged_by(const MonitorOptions& options);
// The other way round. A name that is not known is of another version: it is passed over, as is
// what is no finite number.
void judge_by(const std::vector<telemetry::JudgedBy>& values, MonitorOptions& options);

}  // namespace batchscope::monitor
