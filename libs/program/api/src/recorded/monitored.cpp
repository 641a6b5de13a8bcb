#include "batchscope/api/monitored.hpp"

#include "batchscope/monitor/replay.hpp"
#include "batchscope/monitor_report/monitor_page.hpp"
#include "batchscope/monitor_report/together.hpp"

namespace batchscope::api {

bool is_monitor_log(const std::filesystem::path& file) {
  return monitor::is_recorded_log(file);
}

base::Result<LogReport> report_log(const std::filesystem::path& file, Page page) {
  const auto recorded = monitor::read_log_file(file);
  if (!recorded) return recorded.error();
  const monitor::MonitorOptions rules = monitor::as_judged(recorded->log.header);
  monitor::MonitorSession session(rules);
  monitor::replay(recorded->log, session);
  const monitor_report::LogView view{recorded->log, monitor_report::merged_findings(session.all()),
                                     file.string(), monitor::kinds(rules)};
  auto text = page == Page::markdown ? monitor_report::markdown(view) : monitor_report::html(view);
  if (!text) return std::move(text).error();
  return LogReport{*std::move(text), recorded->doubts, recorded->note};
}

}  // namespace batchscope::api
