#include "progress/monitor_lines.hpp"

#include "batchscope/monitorview/plain_lines.hpp"
#include "batchscope/monitorview/together.hpp"

namespace batchscope::cli {

base::Result<void> MonitorLines::take(const monitor::Tick& tick) {
  history_.add(tick.sample);
  for (const auto& step : tick.steps) history_.add(step);
  std::string lines = monitorview::sample_line(tick.sample, &history_) + '\n';
  for (const auto& change : monitorview::told_together(tick.changes)) {
    lines += monitorview::finding_line(change) + '\n';
  }
  return write_(lines);
}

}  // namespace batchscope::cli
