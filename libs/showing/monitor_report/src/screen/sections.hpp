#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "batchscope/monitor_report/screen.hpp"
#include "text/line.hpp"

// The parts of a screen, from top to bottom. Each says how many lines it can fill, and fills those
// that it gets with what matters most.
namespace batchscope::monitor_report {

using Lines = std::vector<std::string>;

// How wide, and with what.
struct Canvas {
  std::size_t columns = 0;
  Look look;

  ScreenLine line() const { return ScreenLine(columns, look); }
};

// What is shared by the first column of GPUs and of the machine, so that they stand in line.
inline constexpr std::size_t kLabelWidth = 4, kCurveWidth = 7;

// Findings that stand, the worst and oldest first.
std::vector<const watch::ActiveFinding*> active_of(const View& view);
Tone tone_of(findings::Severity severity);

std::size_t header_wants(const View& view, const Canvas& canvas);
Lines header_lines(const View& view, const Canvas& canvas, std::size_t most);

// A line each; one more is the title.
std::size_t gpu_rows(const View& view);
Lines gpu_lines(const View& view, const Canvas& canvas, std::size_t most);

Lines host_lines(const View& view, const Canvas& canvas, std::size_t most);
Lines training_lines(const View& view, const Canvas& canvas, std::size_t most);
// The busiest first, below a title.
Lines process_lines(const View& view, const Canvas& canvas, std::size_t most);
// One line each, and with more room what to do about it below.
Lines finding_lines(const View& view, const Canvas& canvas, std::size_t most);

}  // namespace batchscope::monitor_report
