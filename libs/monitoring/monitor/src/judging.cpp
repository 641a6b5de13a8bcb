#include "judging.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace batchscope::monitor {
namespace {

struct MetricRow {
  std::string_view name;
  double& (*value)(MonitorOptions& of);
};

constexpr std::array kRows = {
    MetricRow{"gpu_busy_low", [](auto& of) -> double& { return of.targets.gpu_busy.low; }},
    MetricRow{"gpu_busy_high", [](auto& of) -> double& { return of.targets.gpu_busy.high; }},
    MetricRow{"gpu_memory_low", [](auto& of) -> double& { return of.targets.gpu_memory.low; }},
    MetricRow{"gpu_memory_high", [](auto& of) -> double& { return of.targets.gpu_memory.high; }},
    MetricRow{"cpu_busy_low", [](auto& of) -> double& { return of.targets.cpu_busy.low; }},
    MetricRow{"cpu_busy_high", [](auto& of) -> double& { return of.targets.cpu_busy.high; }},
    MetricRow{"cpu_saturated", [](auto& of) -> double& { return of.targets.cpu_saturated; }},
    MetricRow{"sm_active_low", [](auto& of) -> double& { return of.targets.sm_active_low; }},
    MetricRow{"power_low", [](auto& of) -> double& { return of.targets.power_low; }},
    MetricRow{"dram_active_high", [](auto& of) -> double& { return of.targets.dram_active_high; }},
    MetricRow{"tensor_active_low",
              [](auto& of) -> double& { return of.targets.tensor_active_low; }},
    MetricRow{"loading_share", [](auto& of) -> double& { return of.targets.loading_share; }},
    MetricRow{"worker_cpu", [](auto& of) -> double& { return of.targets.worker_cpu; }},
    MetricRow{"hot_thread", [](auto& of) -> double& { return of.targets.hot_thread; }},
    MetricRow{"io_pressure", [](auto& of) -> double& { return of.targets.io_pressure; }},
    MetricRow{"swing", [](auto& of) -> double& { return of.targets.swing; }},
    MetricRow{"thermal_share", [](auto& of) -> double& { return of.targets.thermal_share; }},
    MetricRow{"hardware_share", [](auto& of) -> double& { return of.targets.hardware_share; }},
    MetricRow{"power_cap_share", [](auto& of) -> double& { return of.targets.power_cap_share; }},
    MetricRow{"quota_throttled", [](auto& of) -> double& { return of.targets.quota_throttled; }},
    MetricRow{"cpu_steal", [](auto& of) -> double& { return of.targets.cpu_steal; }},
    MetricRow{"memory_pressure", [](auto& of) -> double& { return of.targets.memory_pressure; }},
    MetricRow{"host_memory", [](auto& of) -> double& { return of.targets.host_memory; }},
    MetricRow{"straggler_clock", [](auto& of) -> double& { return of.targets.straggler_clock; }},
    MetricRow{"straggler_busy", [](auto& of) -> double& { return of.targets.straggler_busy; }},
    MetricRow{"link_share", [](auto& of) -> double& { return of.targets.link_share; }},
    MetricRow{"replays_a_minute", [](auto& of) -> double& { return of.targets.replays_a_minute; }},
    MetricRow{"window_seconds", [](auto& of) -> double& { return of.window.window_seconds; }},
    MetricRow{"raise_seconds", [](auto& of) -> double& { return of.window.raise_seconds; }},
    MetricRow{"clear_seconds", [](auto& of) -> double& { return of.window.clear_seconds; }},
    MetricRow{"event_seconds", [](auto& of) -> double& { return of.window.event_seconds; }},
    MetricRow{"least_step_change", [](auto& of) -> double& { return of.steps.least_change; }},
};

}  // namespace

std::vector<telemetry::JudgedBy> judged_by(const MonitorOptions& options) {
  MonitorOptions of = options;
  std::vector<telemetry::JudgedBy> all;
  for (const MetricRow& row : kRows) all.push_back({std::string(row.name), row.value(of)});
  return all;
}

void judge_by(const std::vector<telemetry::JudgedBy>& values, MonitorOptions& options) {
  for (const telemetry::JudgedBy& one : values) {
    const auto row = std::ranges::find(kRows, one.name, &MetricRow::name);
    if (row != kRows.end() && std::isfinite(one.value)) row->value(options) = one.value;
  }
}

}  // namespace batchscope::monitor
