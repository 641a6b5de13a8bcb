#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "batchscope/base/characters.hpp"
#include "batchscope/base/units.hpp"
#include "screen/sections.hpp"
#include "text/gauges.hpp"
#include "text/quantities.hpp"

namespace batchscope::monitor_report {
namespace {

using telemetry::HostReading;

// Columns of the screen from where there is room for curves and bars, and for long ones.
constexpr std::size_t kGaugesFrom = 60, kWideFrom = 120, kWideCurve = 24;

// A line of fields, which ends before the first that has no room.
class Fields {
 public:
  Fields(const Canvas& canvas, std::string_view label) : line_(canvas.line()) {
    line_.add(label).pad_to(kLabelWidth);
  }

  void add(const std::string& text, Tone tone = Tone::plain) {
    if (full_ || text.empty()) return;
    full_ = base::display_width(text) + 2 > line_.left();
    if (!full_) line_.add("  ").add(text, tone);
  }
  void add(std::string_view what, const std::optional<double>& ratio) {
    if (ratio) add(fmt::format("{} {}", what, percent_of(*ratio)));
  }
  void add_rate(const std::optional<double>& rate, std::string_view what) {
    if (rate) add(fmt::format("{} {}", bytes_per_second(*rate), what));
  }
  std::string text() const { return line_.text(); }

 private:
  ScreenLine line_;
  bool full_ = false;
};

std::string level(const std::optional<double>& ratio) {
  return fmt::format("{:>5}", ratio ? percent_of(*ratio) : "-");
}

std::string cpu_line(const View& view, const Canvas& canvas) {
  const HostReading& host = view.sample.host;
  Fields line(canvas, "CPU");
  line.add(level(host.cpu_busy_ratio));
  if (view.history != nullptr && canvas.columns >= kGaugesFrom) {
    const std::size_t width = canvas.columns >= kWideFrom ? kWideCurve : kCurveWidth;
    line.add(sparkline(view.history->cpu_busy(width), width, canvas.look));
  }
  if (host.cpus) line.add(fmt::format("of {} CPUs", *host.cpus));
  line.add("iowait", host.cpu_iowait_ratio);
  line.add("steal", host.cpu_steal_ratio);
  if (host.cpu_limit) line.add(fmt::format("quota {:.3g} CPUs", *host.cpu_limit));
  line.add("throttled", host.cpu_throttled_ratio);
  const auto& cores = host.cpu_busy_ratio_by_core;
  if (!cores.empty()) line.add("busiest core", *std::max_element(cores.begin(), cores.end()));
  if (host.load_average) line.add(fmt::format("load {:.1f}", *host.load_average));
  return line.text();
}

// What is read as stalled: PSI.
std::string pressure(const HostReading& host) {
  std::string text;
  const auto add = [&text](std::string_view of, const std::optional<double>& ratio) {
    if (ratio)
      text += fmt::format("{} {} {}", text.empty() ? "pressure" : ",", of, percent_of(*ratio));
  };
  add("CPU", host.pressure_cpu_some_ratio);
  add("memory", host.pressure_memory_some_ratio);
  add("I/O", host.pressure_io_some_ratio);
  return text;
}

std::string memory_line(const View& view, const Canvas& canvas) {
  const HostReading& host = view.sample.host;
  Fields line(canvas, "RAM");
  std::optional<double> ratio;
  if (host.memory_used_bytes && host.memory_total_bytes.value_or(0) > 0) {
    ratio = static_cast<double>(*host.memory_used_bytes) /
            static_cast<double>(*host.memory_total_bytes);
  }
  line.add(level(ratio));
  if (ratio) {
    if (canvas.columns >= kGaugesFrom) line.add(bar(*ratio, kCurveWidth, canvas.look));
    line.add(used_of(*host.memory_used_bytes, *host.memory_total_bytes));
  }
  line.add(pressure(host));
  if (host.swap_used_bytes) line.add("swap " + base::format_bytes(*host.swap_used_bytes));
  return line.text();
}

std::string traffic_line(const View& view, const Canvas& canvas) {
  const HostReading& host = view.sample.host;
  Fields line(canvas, "I/O");
  line.add("disk", host.disk_busy_ratio);
  line.add_rate(host.disk_read_bytes_per_second, "read");
  line.add_rate(host.disk_write_bytes_per_second, "written");
  line.add_rate(host.network_receive_bytes_per_second, "received");
  line.add_rate(host.network_transmit_bytes_per_second, "sent");
  return line.text();
}

std::string step_line(const TrainingPace& pace, const Canvas& canvas) {
  Fields line(canvas, "step");
  const telemetry::TrainingStep& last = pace.last;
  line.add(fmt::format("{:>5}", grouped(last.step)));
  if (!last.loss_word.empty()) {
    line.add(shown("loss " + last.loss_word, canvas.look), Tone::bad);
  } else if (last.loss) {
    line.add("loss " + digits(*last.loss));
  }
  if (pace.samples_per_second) line.add(rate(*pace.samples_per_second) + " samples/s");
  line.add(base::format_seconds(std::clamp(pace.step_seconds, 0.0, 1e9)) + " per step");
  line.add("loading", pace.loading_ratio);
  if (last.learning_rate) line.add("learning rate " + digits(*last.learning_rate));
  line.add(shown(last.source, canvas.look), Tone::faint);
  return line.text();
}

}  // namespace

Lines host_lines(const View& view, const Canvas& canvas, std::size_t most) {
  Lines lines;
  for (const auto& line_of : {cpu_line, memory_line, traffic_line}) {
    if (lines.size() < most) lines.push_back(line_of(view, canvas));
  }
  return lines;
}

Lines training_lines(const View& view, const Canvas& canvas, std::size_t most) {
  Lines lines;
  if (view.history == nullptr) return lines;
  for (const TrainingPace& pace : view.history->training()) {
    if (lines.size() < most) lines.push_back(step_line(pace, canvas));
  }
  return lines;
}

}  // namespace batchscope::monitor_report
