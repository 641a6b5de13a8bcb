#include <array>

#include "charts/chart_groups.hpp"

namespace batchscope::monitor_report {
namespace {

using telemetry::GpuReading;
using Get = std::optional<double> (*)(const GpuReading&);

template <auto kField>
std::optional<double> field_of(const GpuReading& gpu) {
  const auto& value = gpu.*kField;
  return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
}

struct GpuChart {
  const char* id;
  const char* title;
  const char* unit;
  double scale;  // of the reading to the unit
  bool from_zero;
  Get get;
  Get limit;  // nullptr: there is none
  const char* limit_text;
  const char* note;
};

constexpr double kGibibyte = 1024.0 * 1024 * 1024;

constexpr std::array kGpuCharts = {
    GpuChart{"gpu-busy", "GPU busy", "%", 100, true, field_of<&GpuReading::busy_ratio>, nullptr, "",
             "Share of time in which a kernel ran, however small. It does not show how much of the "
             "GPU is used."},
    GpuChart{"sm-active", "Multiprocessors active", "%", 100, true,
             field_of<&GpuReading::sm_active_ratio>, nullptr, "",
             "Share of cycles in which multiprocessors (SMs) had work."},
    GpuChart{"gpu-memory", "GPU memory used", "GiB", 1 / kGibibyte, true,
             field_of<&GpuReading::memory_used_bytes>, field_of<&GpuReading::memory_total_bytes>,
             "total",
             "Memory allocated by programs, including unused memory in allocators' caches."},
    GpuChart{"power", "Power", "W", 1, true, field_of<&GpuReading::power_watts>,
             field_of<&GpuReading::power_limit_watts>, "power limit", ""},
    GpuChart{"sm-clock", "SM clock", "MHz", 1e-6, true, field_of<&GpuReading::sm_clock_hertz>,
             field_of<&GpuReading::max_sm_clock_hertz>, "highest", ""},
    GpuChart{"temperature", "Temperature", "°C", 1, false,
             field_of<&GpuReading::temperature_celsius>,
             field_of<&GpuReading::slowdown_temperature_celsius>, "slowdown temperature", ""}};

// Drawn where it is one for all.
std::optional<Limit> common_limit(const GpuChart& chart, const RecordedSeries& recorded) {
  if (chart.limit == nullptr) return std::nullopt;
  for (auto sample = recorded.samples.rbegin(); sample != recorded.samples.rend(); ++sample) {
    std::optional<double> common;
    bool differ = false;
    for (const GpuReading& gpu : (*sample)->gpus) {
      const std::optional<double> own = chart.limit(gpu);
      differ = differ || (common && own && *common != *own);
      if (own) common = own;
    }
    if (differ) return std::nullopt;
    if (common) return Limit{*common * chart.scale, chart.limit_text};
  }
  return std::nullopt;
}

Series gpu_line(const GpuChart& chart, const RecordedSeries& recorded, const std::string& gpu) {
  const auto value = [&](size_t i) -> std::optional<double> {
    const GpuReading* const reading = reading_of(*recorded.samples[i], gpu);
    const std::optional<double> raw = reading == nullptr ? std::nullopt : chart.get(*reading);
    return raw ? std::optional<double>(*raw * chart.scale) : std::nullopt;
  };
  return {"GPU " + short_name(gpu), 0, min_mean_max_of(recorded.clocks.front(), value)};
}

}  // namespace

std::vector<Chart> gpu_charts(const RecordedSeries& recorded,
                              const std::vector<std::string>& gpus) {
  std::vector<Chart> charts;
  for (const GpuChart& one : kGpuCharts) {
    Chart chart{
        one.id, one.title, one.unit, one.note, one.from_zero, false, common_limit(one, recorded),
        {}};
    for (const std::string& gpu : gpus) chart.lines.push_back(gpu_line(one, recorded, gpu));
    charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace batchscope::monitor_report
