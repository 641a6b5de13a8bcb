#pragma once

#include <string>
#include <vector>

#include "batchscope/monitor_report/screen_history.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "batchscope/watch/active_finding.hpp"

namespace batchscope::monitor_report {

// What is shown at a moment. Names in it are untrusted: no control character of them is shown.
struct View {
  std::string host;      // the name of the machine
  std::string watched;   // "pid 4711, python3 train.py"; empty: the machine as a whole
  std::string exporter;  // where metrics are to be had: an address; empty: nowhere
  telemetry::Sample sample;
  const ScreenHistory* history = nullptr;      // with `sample` in it; may be absent
  std::vector<watch::ActiveFinding> findings;  // those that ended are passed over
};

struct ScreenSize {
  int columns = 80, rows = 24;
  bool colour = false;
  bool utf8 = true;  // false: ASCII only
};

// Lines from the top, at most as many as the screen has rows, none wider than its columns. With
// colour they hold SGR sequences, which take no columns, and end uncoloured.
struct Screen {
  std::vector<std::string> lines;
};

// The worst comes first where room is short: what is wrong, then every GPU, the machine, the steps
// of training, and processes. What is not known is left out. Times are UTC.
Screen render(const View& view, const ScreenSize& size);

// What is written to a terminal, in one piece each, so that nothing flickers.
//
// Before the first frame: another screen, whose lines do not wrap, without a cursor.
std::string enter_screen();
// Over the frame before, without clearing it first. It holds for whatever was there: after the
// terminal has changed its size, the next frame is as good as the first.
std::string next_frame(const Screen& screen, const ScreenSize& size);
// At the end, or where the program is stopped: as it was before.
std::string leave_screen();

}  // namespace batchscope::monitor_report
