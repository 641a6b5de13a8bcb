#pragma once

#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/telemetry/log_line.hpp"
#include "batchscope/watch/active_finding.hpp"

namespace batchscope::monitor_report {

// What a monitor, or the monitor of a training loop, recorded. Names and texts in it are untrusted.
struct LogView {
  const telemetry::LogContent& log;
  std::vector<watch::ActiveFinding> active_findings;  // all that ever stood, worst first
  std::string file;                                   // as it was named
  findings::Catalogue kinds;                          // by what it was judged
};

// All of it as one page that needs nothing but itself: what is wrong, figures, findings, and charts
// over time, of which a long log's lines hold the least and the most of each stretch. Without a
// script still all tables. Errors: failed (a build without the page's script).
base::Result<std::string> html(const LogView& view);
// The same without the charts.
std::string markdown(const LogView& view);

}  // namespace batchscope::monitor_report
