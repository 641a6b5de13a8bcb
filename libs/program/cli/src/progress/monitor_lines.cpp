#include "progress/monitor_lines.hpp"

#include "batchscope/monitor_report/plain_lines.hpp"
#include "batchscope/monitor_report/together.hpp"

namespace batchscope::cli {

base::Result<void> MonitorLines::take(const monitor::Tick& tick) {
  history_.add(tick.sample);
  for (const auto& step : tick.steps) history_.add(step);
  std::string lines = monitor_report::sample_line(tick.sample, &history_) + '\n';
  for (const auto& change : monitor_report::merged_findings(tick.changes)) {
    lines += monitor_report::finding_line(change) + '\n';
  }
  return write_(lines);
}

}  // namespace batchscope::cli
