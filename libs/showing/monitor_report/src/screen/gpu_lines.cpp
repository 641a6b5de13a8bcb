#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/strings.hpp"
#include "screen/sections.hpp"
#include "text/columns.hpp"
#include "text/finding_words.hpp"
#include "text/gauges.hpp"
#include "text/quantities.hpp"

namespace batchscope::monitor_report {
namespace {

using telemetry::GpuReading;

// A reading that is as old as this says so.
constexpr double kOldSeconds = 3;
constexpr double kNearlyFull = 0.95;

enum GpuColumn {
  kGpu,
  kBusy,
  kBusyCurve,
  kMemory,
  kMemoryBar,
  kPower,
  kTemperature,
  kClock,
  kSmActive,
  kTensor,
  kNote,
  kName,
  kGpuColumns
};

Cell ratio_cell(const std::optional<double>& ratio) {
  return ratio ? Cell{percent_of(*ratio)} : Cell{"-", Tone::faint};
}

Cell memory_cell(const GpuReading& gpu) {
  if (!gpu.memory_used_bytes || !gpu.memory_total_bytes) return {"-", Tone::faint};
  const bool full = static_cast<double>(*gpu.memory_used_bytes) >
                    kNearlyFull * static_cast<double>(*gpu.memory_total_bytes);
  return {used_of(*gpu.memory_used_bytes, *gpu.memory_total_bytes),
          full ? Tone::warning : Tone::plain};
}

Cell memory_bar(const GpuReading& gpu, std::size_t width, const Look& look) {
  if (!gpu.memory_used_bytes || gpu.memory_total_bytes.value_or(0) <= 0) return {};
  return {bar(
      static_cast<double>(*gpu.memory_used_bytes) / static_cast<double>(*gpu.memory_total_bytes),
      width, look)};
}

Cell power_cell(const GpuReading& gpu) {
  if (!gpu.power_watts) return {"-", Tone::faint};
  if (!gpu.power_limit_watts) return {watts(*gpu.power_watts)};
  return {fmt::format("{:.0f}/", *gpu.power_watts) + watts(*gpu.power_limit_watts)};
}

Cell temperature_cell(const GpuReading& gpu, const Look& look) {
  if (!gpu.temperature_celsius) return {"-", Tone::faint};
  const bool hot = gpu.slowdown_temperature_celsius &&
                   *gpu.temperature_celsius >= *gpu.slowdown_temperature_celsius;
  return {fmt::format("{:.0f} {}", *gpu.temperature_celsius, look.utf8 ? "°C" : "C"),
          hot ? Tone::bad : Tone::plain};
}

Cell clock_cell(const GpuReading& gpu) {
  if (!gpu.sm_clock_hertz) return {"-", Tone::faint};
  return {fmt::format("{:.0f}", *gpu.sm_clock_hertz * 1e-6)};
}

// What else is to be known: why the clock is held down, or that this is no news.
Cell note_cell(const GpuReading& gpu, int64_t now_ns) {
  const double age = (static_cast<double>(now_ns) - static_cast<double>(gpu.read_ns)) * 1e-9;
  if (gpu.up && gpu.read_ns > 0 && age >= kOldSeconds) {
    return {seconds_between(gpu.read_ns, now_ns) + " old", Tone::warning};
  }
  std::string reasons = base::join(gpu.throttle_reasons, ", ");
  std::replace(reasons.begin(), reasons.end(), '_', ' ');
  return {reasons, Tone::warning};
}

class GpuTable {
 public:
  GpuTable(const View& view, const Canvas& canvas)
      : view_(view), canvas_(canvas), columns_(columns()) {
    widths_ = widths_of(columns_, canvas.columns);
  }

  std::string title() const {
    std::vector<Cell> cells;
    for (const Column& column : columns_) cells.push_back({column.title, Tone::faint});
    const std::string since = "last " + columns_[kBusyCurve].title;
    if (since.size() <= widths_[kBusyCurve]) cells[kBusyCurve].text = since;
    ScreenLine line = canvas_.line();
    add_cells(line, columns_, widths_, cells);
    return line.text();
  }

  std::string row(const GpuReading& gpu) const {
    ScreenLine line = canvas_.line();
    if (!gpu.up) {
      const Cell name = name_cell(gpu);
      line.add_name(name.text, kLabelWidth, Tone::bad).pad_to(kLabelWidth + 2);
      return line.add("down: " + gpu.why_down, Tone::bad).text();
    }
    add_cells(line, columns_, widths_, cells_of(gpu));
    return line.text();
  }

  // Whether a finding is about it, or it does not answer: it is shown where others are not.
  bool is_outlier(const GpuReading& gpu) const { return !gpu.up || mark_of(gpu) != Tone::plain; }

 private:
  std::vector<Column> columns() const {
    const auto any = [this](auto known) {
      return std::any_of(view_.sample.gpus.begin(), view_.sample.gpus.end(), known);
    };
    const auto noted = [this](const GpuReading& gpu) {
      return !note_cell(gpu, view_.sample.time_ns).text.empty();
    };
    std::vector<Column> all(kGpuColumns);
    all[kGpu] = {"GPU", kLabelWidth, 0, 0, true};
    all[kBusy] = {"busy", 5, 0, 0};
    all[kBusyCurve] = {curve_title(), kCurveWidth, 30, 3, true, view_.history != nullptr};
    all[kMemory] = {"memory", 13, 0, 1};
    all[kMemoryBar] = {"", 6, 12, 7, true};
    all[kPower] = {"power", 9, 0, 2};
    all[kTemperature] = {"temp", 5, 0, 4};
    all[kClock] = {"SM MHz", 6, 0, 6};
    all[kSmActive] = {
        "SM act", 6,
        0,        5,
        false,    any([](const GpuReading& gpu) { return gpu.sm_active_ratio.has_value(); })};
    all[kTensor] = {
        "tensor", 6,
        0,        9,
        false,    any([](const GpuReading& gpu) { return gpu.tensor_active_ratio.has_value(); })};
    all[kNote] = {"note", 9, 24, 5, true, any(noted)};
    all[kName] = {"name", 21,   30,
                  10,     true, any([](const GpuReading& gpu) { return !gpu.name.empty(); })};
    return all;
  }

  std::string curve_title() const {
    const double seconds = view_.history != nullptr ? view_.history->seconds() : 0;
    return seconds_between(0, std::llround(seconds * 1e9));
  }

  // In which colour it is marked: of the worst finding about it.
  Tone mark_of(const GpuReading& gpu) const {
    for (const watch::ActiveFinding* one : active_of(view_)) {
      if (gpu_of(one->finding) == gpu.gpu.substr(0, gpu.gpu.find(':'))) {
        return tone_of(one->finding.severity);
      }
    }
    return Tone::plain;
  }

  Cell name_cell(const GpuReading& gpu) const {
    const Tone mark = mark_of(gpu);
    return {gpu.gpu + (is_outlier(gpu) ? "!" : ""), mark};
  }

  std::vector<Cell> cells_of(const GpuReading& gpu) const {
    std::vector<Cell> cells(kGpuColumns);
    cells[kGpu] = name_cell(gpu);
    cells[kBusy] = ratio_cell(gpu.busy_ratio);
    if (view_.history != nullptr) {
      const std::size_t width = widths_[kBusyCurve];
      cells[kBusyCurve] = {sparkline(view_.history->gpu_busy(gpu.gpu, width), width, canvas_.look)};
    }
    cells[kMemory] = memory_cell(gpu);
    cells[kMemoryBar] = memory_bar(gpu, widths_[kMemoryBar], canvas_.look);
    cells[kPower] = power_cell(gpu);
    cells[kTemperature] = temperature_cell(gpu, canvas_.look);
    cells[kClock] = clock_cell(gpu);
    cells[kSmActive] = ratio_cell(gpu.sm_active_ratio);
    cells[kTensor] = ratio_cell(gpu.tensor_active_ratio);
    cells[kNote] = note_cell(gpu, view_.sample.time_ns);
    cells[kName] = {gpu.name, Tone::faint};
    return cells;
  }

  const View& view_;
  const Canvas& canvas_;
  std::vector<Column> columns_;
  std::vector<std::size_t> widths_;
};

// Where there is not room for all, those that something is wrong with, then the first.
std::vector<const GpuReading*> chosen(const View& view, const GpuTable& table, std::size_t most) {
  std::vector<const GpuReading*> some;
  for (const bool wrong : {true, false}) {
    for (const GpuReading& gpu : view.sample.gpus) {
      if (some.size() < most && table.is_outlier(gpu) == wrong) some.push_back(&gpu);
    }
  }
  std::sort(some.begin(), some.end());  // as they stand in the sample
  return some;
}

std::string no_gpu(const View& view, const Canvas& canvas) {
  ScreenLine line = canvas.line();
  line.add("GPU").pad_to(kLabelWidth + 2).add("none");
  if (!view.sample.gpu_absent.empty()) line.add(": " + view.sample.gpu_absent);
  return line.text();
}

}  // namespace

std::size_t gpu_rows(const View& view) {
  return std::max<std::size_t>(view.sample.gpus.size(), 1);
}

Lines gpu_lines(const View& view, const Canvas& canvas, std::size_t most) {
  Lines lines;
  if (most == 0) return lines;
  const std::size_t gpus = view.sample.gpus.size();
  if (gpus == 0) return {no_gpu(view, canvas)};
  const GpuTable table(view, canvas);
  if (most > gpus) lines.push_back(table.title());
  const std::size_t rows = most >= gpus ? gpus : most - 1;
  for (const GpuReading* gpu : chosen(view, table, rows)) lines.push_back(table.row(*gpu));
  if (rows < gpus) {
    const std::string more =
        rows == 0 ? fmt::format("{} GPUs", gpus) : fmt::format("and {} more GPUs", gpus - rows);
    lines.push_back(canvas.line().add(more, Tone::faint).text());
  }
  return lines;
}

}  // namespace batchscope::monitor_report
