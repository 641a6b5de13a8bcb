#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "batchscope/base/result.hpp"
#include "batchscope/monitor/session.hpp"
#include "batchscope/monitor_report/screen_history.hpp"

namespace batchscope::cli {

// A line a sample, and one for each finding that is raised or ends.
class MonitorLines : public monitor::Sink {
 public:
  using Write = std::function<base::Result<void>(std::string_view text)>;

  explicit MonitorLines(Write write) : write_(std::move(write)) {}
  std::string_view name() const override { return "standard output"; }
  base::Result<void> take(const monitor::Tick& tick) override;

 private:
  Write write_;
  monitor_report::ScreenHistory history_;
};

}  // namespace batchscope::cli
