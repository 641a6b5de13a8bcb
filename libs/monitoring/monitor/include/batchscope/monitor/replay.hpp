#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/monitor/session.hpp"
#include "batchscope/monitor/totals.hpp"
#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::monitor {

// A log through the rules, as if it were seen now: samples and steps in the order of their times,
// a tick a sample. Steps behind the last sample close a tick with that sample once more.
// `each` is told every tick; may be empty.
void replay(const telemetry::LogContent& log, MonitorSession& session,
            const std::function<void(const Tick& tick)>& each = {});

// A log of a monitor, or of a framework that trained (stepfeed/step_log.hpp), which has steps
// alone.
struct RecordedLog {
  telemetry::LogContent log;
  std::vector<std::string> doubts;  // lines that were left out, times that go back
  std::string note;                 // what a framework's log is, and does not tell; may be empty
};
// Whether it begins as one of those does.
bool is_recorded_log(const std::filesystem::path& file);
// Errors: input (cannot be read, is neither).
base::Result<RecordedLog> read_log_file(const std::filesystem::path& file);

// The options by which a log was judged when it was recorded, as far as it says.
MonitorOptions as_judged(const telemetry::LogHeader& header, MonitorOptions options = {});

// What there is to say of a log in the end: a replay with its totals.
MonitorSummary summary_of(const telemetry::LogContent& log, MonitorSession& session);

}  // namespace batchscope::monitor
