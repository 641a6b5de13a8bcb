#include "batchscope/api/monitored.hpp"

#include "batchscope/base/line_reader.hpp"
#include "batchscope/monitor/replay.hpp"
#include "batchscope/monitorpage/monitor_page.hpp"
#include "batchscope/monitorview/together.hpp"
#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::api {

bool is_monitor_log(const std::filesystem::path& file) {
  auto lines = base::LineReader::open(file);
  if (!lines) return false;
  const auto first = lines->next();
  return first && *first && telemetry::is_log((*first)->text);
}

base::Result<std::string> report_log(const std::filesystem::path& file, Page page) {
  const auto log = telemetry::read_log(file.string());
  if (!log) return log.error();
  monitor::Session session(monitor::as_judged(log->header));
  monitor::replay(*log, session);
  const monitorpage::LogView view{*log, monitorview::told_together(session.all()), file.string()};
  if (page == Page::markdown) return monitorpage::markdown(view);
  return monitorpage::html(view);
}

}  // namespace batchscope::api
