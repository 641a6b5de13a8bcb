#pragma once

#include "batchscope/monitor/session.hpp"
#include "batchscope/monitor_report/screen.hpp"
#include "batchscope/monitor_report/screen_history.hpp"

namespace batchscope::cli {

// The terminal at standard output as a live view. It is another screen, which is left when this
// goes: what stood there before is there again.
class MonitorScreen : public monitor::Sink {
 public:
  // `shown`: who is watched, and where metrics are to be had; the rest is filled in.
  MonitorScreen(monitor_report::View shown, bool colour, bool utf8);
  MonitorScreen(const MonitorScreen&) = delete;
  MonitorScreen& operator=(const MonitorScreen&) = delete;
  ~MonitorScreen() override;

  std::string_view name() const override { return "the screen"; }
  base::Result<void> take(const monitor::Tick& tick) override;

 private:
  monitor_report::ScreenHistory history_;
  monitor_report::View view_;
  monitor_report::ScreenSize size_;
};

}  // namespace batchscope::cli
