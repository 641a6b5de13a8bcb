#include "judging.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace batchscope::monitor {
namespace {

struct Row {
  std::string_view name;
  double& (*value)(SessionOptions& of);
};

constexpr std::array kRows = {
    Row{"gpu_busy_low", [](auto& of) -> double& { return of.targets.gpu_busy.low; }},
    Row{"gpu_busy_high", [](auto& of) -> double& { return of.targets.gpu_busy.high; }},
    Row{"gpu_memory_low", [](auto& of) -> double& { return of.targets.gpu_memory.low; }},
    Row{"gpu_memory_high", [](auto& of) -> double& { return of.targets.gpu_memory.high; }},
    Row{"cpu_busy_low", [](auto& of) -> double& { return of.targets.cpu_busy.low; }},
    Row{"cpu_busy_high", [](auto& of) -> double& { return of.targets.cpu_busy.high; }},
    Row{"cpu_saturated", [](auto& of) -> double& { return of.targets.cpu_saturated; }},
    Row{"sm_active_low", [](auto& of) -> double& { return of.targets.sm_active_low; }},
    Row{"power_low", [](auto& of) -> double& { return of.targets.power_low; }},
    Row{"dram_active_high", [](auto& of) -> double& { return of.targets.dram_active_high; }},
    Row{"tensor_active_low", [](auto& of) -> double& { return of.targets.tensor_active_low; }},
    Row{"loading_share", [](auto& of) -> double& { return of.targets.loading_share; }},
    Row{"worker_cpu", [](auto& of) -> double& { return of.targets.worker_cpu; }},
    Row{"hot_thread", [](auto& of) -> double& { return of.targets.hot_thread; }},
    Row{"io_pressure", [](auto& of) -> double& { return of.targets.io_pressure; }},
    Row{"swing", [](auto& of) -> double& { return of.targets.swing; }},
    Row{"thermal_share", [](auto& of) -> double& { return of.targets.thermal_share; }},
    Row{"hardware_share", [](auto& of) -> double& { return of.targets.hardware_share; }},
    Row{"power_cap_share", [](auto& of) -> double& { return of.targets.power_cap_share; }},
    Row{"quota_throttled", [](auto& of) -> double& { return of.targets.quota_throttled; }},
    Row{"cpu_steal", [](auto& of) -> double& { return of.targets.cpu_steal; }},
    Row{"memory_pressure", [](auto& of) -> double& { return of.targets.memory_pressure; }},
    Row{"host_memory", [](auto& of) -> double& { return of.targets.host_memory; }},
    Row{"straggler_clock", [](auto& of) -> double& { return of.targets.straggler_clock; }},
    Row{"straggler_busy", [](auto& of) -> double& { return of.targets.straggler_busy; }},
    Row{"link_share", [](auto& of) -> double& { return of.targets.link_share; }},
    Row{"replays_a_minute", [](auto& of) -> double& { return of.targets.replays_a_minute; }},
    Row{"window_seconds", [](auto& of) -> double& { return of.window.window_seconds; }},
    Row{"raise_seconds", [](auto& of) -> double& { return of.window.raise_seconds; }},
    Row{"clear_seconds", [](auto& of) -> double& { return of.window.clear_seconds; }},
    Row{"event_seconds", [](auto& of) -> double& { return of.window.event_seconds; }},
    Row{"least_step_change", [](auto& of) -> double& { return of.steps.least_change; }},
};

}  // namespace

std::vector<telemetry::JudgedBy> judged_by(const SessionOptions& options) {
  SessionOptions of = options;
  std::vector<telemetry::JudgedBy> all;
  for (const Row& row : kRows) all.push_back({std::string(row.name), row.value(of)});
  return all;
}

void judge_by(const std::vector<telemetry::JudgedBy>& values, SessionOptions& options) {
  for (const telemetry::JudgedBy& one : values) {
    const auto row = std::ranges::find(kRows, one.name, &Row::name);
    if (row != kRows.end() && std::isfinite(one.value)) row->value(options) = one.value;
  }
}

}  // namespace batchscope::monitor
