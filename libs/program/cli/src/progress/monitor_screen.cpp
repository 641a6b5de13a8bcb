#include "progress/monitor_screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace batchscope::cli {
namespace {

// In one piece as far as the terminal takes it; one that is gone is no error.
void write_all(const std::string& text) {
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t more = ::write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (more < 0 && errno != EINTR) return;
    if (more > 0) written += static_cast<size_t>(more);
  }
}

}  // namespace

MonitorScreen::MonitorScreen(monitor_report::View shown, bool colour, bool utf8)
    : view_(std::move(shown)) {
  size_.colour = colour;
  size_.utf8 = utf8;
  view_.history = &history_;
  write_all(monitor_report::enter_screen());
}

MonitorScreen::~MonitorScreen() {
  write_all(monitor_report::leave_screen());
}

base::Result<void> MonitorScreen::take(const monitor::Tick& tick) {
  history_.add(tick.sample);
  for (const auto& step : tick.steps) history_.add(step);
  view_.sample = tick.sample;
  view_.findings = tick.active;
  winsize window{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0;
  if (known && window.ws_col > 0 && window.ws_row > 0) {
    size_.columns = window.ws_col;
    size_.rows = window.ws_row;
  }
  write_all(monitor_report::next_frame(monitor_report::render(view_, size_), size_));
  return {};
}

}  // namespace batchscope::cli
