#include "time_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/charts/scale.hpp"
#include "batchscope/charts/svg.hpp"
#include "batchscope/charts/time_line.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/traceview/document.hpp"
#include "part_styles.hpp"

namespace batchscope::traceview {
namespace {

using advice::TraceSummary;
using attribution::DeviceMemory;
using attribution::DeviceTime;
using attribution::kParts;
using attribution::MemoryMoment;
using attribution::Part;
using attribution::TimeParts;
using charts::Spot;
using charts::Svg;

// Units of the drawing.
constexpr int kWidth = 1000;
constexpr int kColumn = 4;
constexpr int kLane = 48, kMemory = 56;
constexpr int kWords = 20;  // a line above a lane
constexpr int kBetween = 10;

constexpr size_t kMostStepLines = 250;  // lines that are still apart
constexpr std::size_t kMostTicks = 8;

// Of a scale that is so long: "12.5 ms".
std::string time_label(double ns, double range_ns) {
  const bool minutes = range_ns >= 1e11;
  return fmt::format("{:.6g} {}", ns / (minutes ? 1e9 : 1e6), minutes ? "s" : "ms");
}

class Picture {
 public:
  explicit Picture(const TraceSummary& summary)
      : summary_(summary),
        window_(window_of(summary)),
        range_(double(window_.end_ns - window_.start_ns)),
        across_({0, range_}, 0, kWidth) {}

  std::string draw() {
    add_ruler();
    add_steps();
    for (const DeviceTime& device : summary_.attribution.devices) add_device(device);
    for (const DeviceMemory& memory : summary_.memory) add_memory(memory);
    Svg full;
    full.path("ticks", upright(ticks_));
    full.path("edges", upright(edges_));
    full.add(drawn_.markup());
    return full.drawing(kWidth, y_,
                        "class=\"time-picture\" role=\"img\" aria-label=\"Each device's time from "
                        "left to right, by what it did\"");
  }

 private:
  double x(int64_t ns) const { return across_.held(static_cast<double>(ns - window_.start_ns)); }

  void add_text(double at, const char* anchor, const std::string& text, const char* look) {
    drawn_.text(look, {at, y_ + 14.0}, anchor, text);
  }

  void add_ruler() {
    for (const charts::AxisTick& tick : charts::round_ticks({0, range_}, kMostTicks)) {
      const double at = across_.at(tick.value);
      const bool at_end = at > kWidth - 30;
      ticks_.push_back(at);
      add_text(at,
               tick.value == 0 ? "start"
               : at_end        ? "end"
                               : "middle",
               time_label(tick.value, range_), "tick");
    }
    y_ += kWords;
    top_ = y_;
  }

  void add_steps() {
    const auto& steps = summary_.attribution.steps;
    if (steps.empty() || steps.size() > kMostStepLines) return;
    constexpr double kDigit = 9;
    for (const attribution::Step& step : steps) {
      const double from = x(step.start_ns), to = x(step.end_ns);
      const std::string number = fmt::format("{}", step.number);
      edges_.push_back(from);
      edges_.push_back(to);
      if (to - from > kDigit * static_cast<double>(number.size() + 6)) {
        add_text((from + to) / 2, "middle", "step " + number, "step");
      } else if (to - from > kDigit * static_cast<double>(number.size())) {
        add_text((from + to) / 2, "middle", number, "step");
      }
    }
    y_ += kWords;
  }

  void add_device(const DeviceTime& device) {
    add_text(0, "start",
             fmt::format("{}: busy {} of {}", device_label(summary_, device.id),
                         findings::percent(device.parts.busy_share()),
                         findings::milliseconds_of(device.wall_ns())),
             "lane");
    y_ += kWords;
    const std::vector<TimeParts> columns =
        charts::time_columns(device.pieces, window_.start_ns, window_.end_ns, kWidth / kColumn);
    std::array<std::string, kParts> paths;
    for (size_t i = 0; i < columns.size(); ++i) add_column(columns[i], int(i) * kColumn, paths);
    for (size_t part = 0; part < kParts; ++part) {
      if (paths[part].empty()) continue;
      drawn_.path("part", paths[part],
                  fmt::format("fill=\"{}\"", part_fill(static_cast<Part>(part))));
    }
    y_ += kLane + kBetween;
  }

  // From the bottom up, what is busy first. Neighbours that are all of one part are one rectangle.
  void add_column(const TimeParts& parts, int at, std::array<std::string, kParts>& paths) const {
    int64_t below = 0;
    const int64_t wall = parts.wall_ns();
    for (size_t part = 0; part < kParts && wall > 0; ++part) {
      const auto height = [&](int64_t ns) {
        return std::lround(kLane * static_cast<double>(ns) / static_cast<double>(wall));
      };
      const long bottom = height(below);
      below += parts.ns[part];
      const long top = height(below);
      if (top > bottom) {
        paths[part] +=
            fmt::format("M{} {}h{}v{}h-{}z", at, y_ + kLane - top, kColumn, top - bottom, kColumn);
      }
    }
  }

  void add_memory(const DeviceMemory& memory) {
    const int64_t most = std::max(memory.peak.allocated_bytes, memory.peak_reserved_bytes);
    if (most <= 0 || memory.timeline.empty()) return;
    std::string words =
        fmt::format("Memory of {}: at most {} MB allocated", device_name(summary_, memory.device),
                    findings::three_digits(double(memory.peak.allocated_bytes) / 1e6));
    const bool has_reserved = memory.peak_reserved_bytes > 0;
    if (has_reserved) {
      words += fmt::format(", {} MB reserved (dashed)",
                           findings::three_digits(double(memory.peak_reserved_bytes) / 1e6));
    }
    add_text(0, "start", words, "lane");
    y_ += kWords;
    add_line(memory, &MemoryMoment::allocated_bytes, most, "allocated");
    if (has_reserved) add_line(memory, &MemoryMoment::reserved_bytes, most, "reserved");
    drawn_.line("floor", {0, double(y_ + kMemory)}, {kWidth, double(y_ + kMemory)});
    y_ += kMemory + kBetween;
  }

  void add_line(const DeviceMemory& memory, int64_t MemoryMoment::*bytes, int64_t most,
                const char* look) {
    std::vector<Spot> steps;
    for (const MemoryMoment& moment : memory.timeline) {
      const double share = std::max(0.0, double(moment.*bytes) / double(most));
      if (!steps.empty()) steps.push_back({x(moment.time_ns), steps.back().y});
      steps.push_back({x(moment.time_ns), y_ + kMemory * (1 - share)});
    }
    steps.push_back({kWidth, steps.back().y});
    drawn_.path(look, charts::path_through(steps));
  }

  // From the ruler to the bottom, once that is known.
  std::string upright(const std::vector<double>& places) const {
    std::string path;
    for (const double at : places) {
      path += charts::path_through({{at, double(top_)}, {at, double(y_)}});
    }
    return path;
  }

  const TraceSummary& summary_;
  TimeWindow window_;
  double range_;
  charts::Scale across_;
  int y_ = 0, top_ = 0;
  std::vector<double> ticks_, edges_;
  Svg drawn_;
};

}  // namespace

TimeWindow window_of(const TraceSummary& summary) {
  TimeWindow window{INT64_MAX, INT64_MIN};
  for (const DeviceTime& device : summary.attribution.devices) {
    if (device.pieces.empty()) continue;
    window.start_ns = std::min(window.start_ns, device.pieces.front().start_ns);
    window.end_ns = std::max(window.end_ns, device.pieces.back().end_ns);
  }
  return window.empty() ? TimeWindow{} : window;
}

std::string device_label(const TraceSummary& summary, int64_t device) {
  for (const trace::DeviceInfo& info : summary.devices) {
    if (info.id == device && !info.name.empty())
      return fmt::format("{} ({})", device_name(summary, device), info.name);
  }
  return device_name(summary, device);
}

std::string time_picture(const TraceSummary& summary) {
  return window_of(summary).empty() ? "" : Picture(summary).draw();
}

}  // namespace batchscope::traceview
