#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/telemetry/throttle_reasons.hpp"
#include "series/series.hpp"
#include "series/totals.hpp"
#include "tables/tables.hpp"

namespace batchscope::monitor_report {
namespace {

using document::cell_of;
using telemetry::CountByName;
using telemetry::GpuReading;
using telemetry::Sample;

// All that was read of one.
struct GpuTotals {
  std::string name, why_down;
  size_t samples = 0, up = 0;
  bool up_at_end = false;
  MinMeanMax busy, active, memory, power, clock, temperature;
  std::optional<double> memory_total;
  CountByName held_down_ns, errors;  // the clock, XIDs
};

void take_if(const std::optional<double>& value, MinMeanMax& spread) {
  if (value) spread.take(*value);
}

void take_reading(const GpuReading& gpu, GpuTotals& totals) {
  totals.up_at_end = gpu.up;
  if (!gpu.name.empty()) totals.name = gpu.name;
  for (const auto& [reason, ns] : gpu.throttle_ns_total) totals.held_down_ns[reason] = ns;
  for (const auto& [xid, count] : gpu.xid_errors_total) totals.errors[xid] = count;
  if (!gpu.up) {
    totals.why_down = gpu.why_down;
    return;
  }
  ++totals.up;
  take_if(gpu.busy_ratio, totals.busy);
  take_if(gpu.sm_active_ratio, totals.active);
  if (gpu.memory_used_bytes) totals.memory.take(static_cast<double>(*gpu.memory_used_bytes));
  if (gpu.memory_total_bytes) totals.memory_total = static_cast<double>(*gpu.memory_total_bytes);
  take_if(gpu.power_watts, totals.power);
  take_if(gpu.sm_clock_hertz, totals.clock);
  take_if(gpu.temperature_celsius, totals.temperature);
}

GpuTotals totals_of_gpu(const RecordedSeries& recorded, const std::string& gpu) {
  GpuTotals totals;
  for (const Sample* sample : recorded.samples) {
    ++totals.samples;
    if (const GpuReading* const reading = reading_of(*sample, gpu)) take_reading(*reading, totals);
  }
  return totals;
}

document::Cell mean_percent(const MinMeanMax& spread) {
  return cell_of(spread.count == 0 ? findings::kAbsent : findings::percent(spread.mean()));
}

document::Cell mean_of(const MinMeanMax& spread, double scale) {
  return cell_of(spread.count == 0 ? findings::kAbsent : findings::brief(spread.mean() * scale));
}

document::Cell memory_cell(const GpuTotals& totals) {
  if (totals.memory.count == 0) return cell_of(findings::kAbsent);
  const auto bytes = [](double value) { return base::format_bytes(static_cast<int64_t>(value)); };
  return cell_of(bytes(totals.memory.high) +
                 (totals.memory_total ? " of " + bytes(*totals.memory_total) : ""));
}

std::string held_down_words(const CountByName& by_reason) {
  std::vector<std::string> parts;
  for (const auto& [reason, ns] : by_reason) {
    if (ns > 0) {
      parts.push_back(telemetry::throttle_reason_in_words(reason) + " for " + lasting(ns));
    }
  }
  return base::join(parts, ", ");
}

// What does not go without saying: that it was lost, held down, in error.
document::Cell remarks_cell(const GpuTotals& totals) {
  std::vector<std::string> parts;
  if (totals.up < totals.samples) {
    const double share = static_cast<double>(totals.up) / static_cast<double>(totals.samples);
    parts.push_back(fmt::format("answered {} of the time{}{}", findings::percent(share),
                                totals.up_at_end ? "" : ", but not at the end",
                                totals.why_down.empty() ? "" : " (" + totals.why_down + ")"));
  }
  for (const auto& [xid, count] : totals.errors) {
    if (count > 0) parts.push_back(fmt::format("XID {}: {}", xid, count));
  }
  if (const std::string held = held_down_words(totals.held_down_ns); !held.empty()) {
    parts.push_back("clock throttled by " + held);
  }
  document::Cell cell = cell_of(base::join(parts, "; "));
  cell.tone = totals.up < totals.samples ? document::Tone::bad : document::Tone::plain;
  return cell;
}

}  // namespace

document::TextTable gpu_table(const RecordedSeries& recorded) {
  document::TextTable table;
  table.columns = {{"GPU", "", true, false},        {"busy", "", false, false},
                   {"SMs", "active", false, false}, {"memory", "most", false, false},
                   {"power", "W", false, false},    {"clock", "MHz", false, false},
                   {"hottest", "°C", false, false}, {"energy", "", false, false},
                   {"events", "", true, false}};
  for (const std::string& gpu : recorded.gpus) {
    const GpuTotals totals = totals_of_gpu(recorded, gpu);
    const auto joules = energy_joules(recorded, gpu);
    table.rows.push_back(
        {cell_of(short_name(gpu) + (totals.name.empty() ? "" : ", " + short_name(totals.name))),
         mean_percent(totals.busy), mean_percent(totals.active), memory_cell(totals),
         mean_of(totals.power, 1), mean_of(totals.clock, 1e-6),
         cell_of(totals.temperature.count == 0 ? findings::kAbsent
                                               : findings::brief(totals.temperature.high)),
         cell_of(joules ? energy_words(*joules) : findings::kAbsent), remarks_cell(totals)});
  }
  return table;
}

}  // namespace batchscope::monitor_report
