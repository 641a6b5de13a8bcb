#pragma once

#include <string>
#include <vector>

#include "batchscope/monitor_report/monitor_page.hpp"

namespace batchscope::monitor_report::testing {

// A log that was never written, and what was found in it.
struct MadeLog {
  telemetry::LogContent log;
  std::vector<watch::ActiveFinding> active_findings;
  std::string file = "run.jsonl";
};

// Eight GPUs for ten minutes, in which nothing happens.
MadeLog healthy(int gpus = 8, int64_t samples = 600);
// 20,000 steps on two GPUs: slower from step 12,000 on, and a clock that falls for a while.
MadeLog trained(int64_t steps = 20'000);
// A sample a second for a week, of one GPU: with one peak of its temperature.
MadeLog week(int64_t samples = 7 * 86'400);
MadeLog without_gpu();
// The third of four is lost after two minutes; the monitor stands still for one.
MadeLog lost_gpu();
// With `text` wherever a log has one.
MadeLog hostile(const std::string& text);
MadeLog empty();

LogView view_of(const MadeLog& made);

}  // namespace batchscope::monitor_report::testing
