#pragma once

#include "batchscope/monitor/session.hpp"
#include "batchscope/monitorview/history.hpp"
#include "batchscope/monitorview/screen.hpp"

namespace batchscope::cli {

// The terminal at standard output as a live view. It is another screen, which is left when this
// goes: what stood there before is there again.
class MonitorScreen : public monitor::Sink {
 public:
  // `shown`: who is watched, and where metrics are to be had; the rest is filled in.
  MonitorScreen(monitorview::View shown, bool colour, bool utf8);
  MonitorScreen(const MonitorScreen&) = delete;
  MonitorScreen& operator=(const MonitorScreen&) = delete;
  ~MonitorScreen() override;

  std::string_view name() const override { return "the screen"; }
  base::Result<void> take(const monitor::Tick& tick) override;

 private:
  monitorview::History history_;
  monitorview::View view_;
  monitorview::ScreenSize size_;
};

}  // namespace batchscope::cli
