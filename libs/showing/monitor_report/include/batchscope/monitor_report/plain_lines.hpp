#pragma once

#include <string>

#include "batchscope/monitor_report/screen_history.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "batchscope/watch/active_finding.hpp"

// What is written where there is no terminal: a line an interval, and one for what changes. Without
// '\n'. Names are untrusted: no control character of them is in a line. Times are UTC.
namespace batchscope::monitor_report {

// "12:01:59  GPU 0 94 %, 60.0/79.6 GiB, 400 W; GPU 3 down: GPU is lost; CPU 33 %, RAM 112/504 GiB;
// step 12,339, loss 2.461". `history`: of the steps; may be absent.
std::string sample_line(const telemetry::Sample& sample, const ScreenHistory* history);

// "12:01:40  HIGH  GPU 3: it has fallen off the bus (drain the node) [gpu.lost]", and where it has
// ended "12:05:00  ended after 3 min 20 s: ...".
std::string finding_line(const watch::ActiveFinding& active);

}  // namespace batchscope::monitor_report
