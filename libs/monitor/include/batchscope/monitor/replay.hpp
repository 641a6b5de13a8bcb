#pragma once

#include <functional>
#include <string>

#include "batchscope/monitor/session.hpp"
#include "batchscope/monitorview/summary.hpp"
#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::monitor {

// A log through the rules, as if it were seen now: samples and steps in the order of their times,
// a tick a sample. Steps behind the last sample close a tick with that sample once more.
// `each` is told every tick; may be empty.
void replay(const telemetry::LogContent& log, Session& session,
            const std::function<void(const Tick& tick)>& each = {});

// What to tell of the lines of such a log that were left out, where there were any.
std::string not_understood(const telemetry::LogContent& log, const std::string& file);

// The options with the window that a log was judged over when it was recorded.
SessionOptions as_judged(const telemetry::LogHeader& header, SessionOptions options = {});

// What there is to say of a log in the end: a replay with its totals.
monitorview::Summary summary_of(const telemetry::LogContent& log, Session& session);

}  // namespace batchscope::monitor
