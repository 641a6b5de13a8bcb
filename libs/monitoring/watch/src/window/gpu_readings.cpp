#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <system_error>

#include "readings.hpp"

namespace batchscope::watch {
namespace {

using telemetry::GpuReading;

// An idle GPU lowers its clock and its link: only what it has at work says something.
constexpr double kCountsAsBusy = 0.3;

// NVML says of no slice for how long it is busy; GPM for how long its engine is at work.
std::optional<double> busy_of(const GpuReading& reading) {
  if (reading.busy_ratio || !is_slice(reading.gpu)) return reading.busy_ratio;
  return reading.graphics_active_ratio;
}

void take_values(const GpuReading& reading, Cells<GpuValue>& values) {
  const std::optional<double> busy = busy_of(reading);
  values[GpuValue::busy].add(busy);
  values[GpuValue::memory_busy].add(reading.memory_busy_ratio);
  values[GpuValue::sm_active].add(reading.sm_active_ratio);
  values[GpuValue::tensor_active].add(reading.tensor_active_ratio);
  values[GpuValue::dram_active].add(reading.dram_active_ratio);
  values[GpuValue::memory_share].add(
      share_of(reading.memory_used_bytes, reading.memory_total_bytes));
  if (reading.memory_used_bytes) {
    values[GpuValue::memory_bytes].add(static_cast<double>(*reading.memory_used_bytes));
  }
  values[GpuValue::power_share].add(share_of(reading.power_watts, reading.power_limit_watts));
  values[GpuValue::temperature].add(reading.temperature_celsius);
  if (busy.value_or(0) < kCountsAsBusy) return;
  values[GpuValue::clock_share].add(share_of(reading.sm_clock_hertz, reading.max_sm_clock_hertz));
  if (reading.pcie_link_generation && reading.pcie_link_width) {
    values[GpuValue::link_rate].add(
        std::ldexp(static_cast<double>(*reading.pcie_link_width),
                   static_cast<int>(std::clamp<int64_t>(*reading.pcie_link_generation, 0, 16))));
  }
}

int64_t nanoseconds_of(const telemetry::CountByName& by_reason, const char* reason) {
  const auto found = by_reason.find(reason);
  return found == by_reason.end() ? 0 : found->second;
}

void take_brakes(const GpuReading& reading, GpuState& gpu) {
  const auto& total = reading.throttle_ns_total;
  const std::array now{
      nanoseconds_of(total, "power_cap"), nanoseconds_of(total, "thermal"),
      nanoseconds_of(total, "hardware_slowdown") + nanoseconds_of(total, "power_brake")};
  for (std::size_t i = 0; i < now.size(); ++i) {
    gpu.recent.open.braked_ns[i] += std::max<int64_t>(0, now[i] - gpu.last.braked_ns[i]);
    gpu.last.braked_ns[i] = now[i];
  }
}

void take_memory(const GpuReading& reading, int64_t now_ns, GpuState& gpu) {
  constexpr double kNobodys = 0.02;
  if (!reading.memory_used_bytes) return;
  const auto used = static_cast<double>(*reading.memory_used_bytes);
  const bool works = busy_of(reading).value_or(1) > kSomeBusy;
  if (gpu.memory_total > 0) gpu.full_ends.add(now_ns, used / gpu.memory_total, works);
  // Whoever had it is gone; what comes is held against nothing of before.
  if (used < kNobodys * gpu.memory_total) gpu.memory = MemoryHistory{};
  gpu.memory.add(now_ns, used);
}

// By how much a counter rose; 0 at its first reading, and where its source began anew.
int64_t rise(const std::optional<int64_t>& now, std::optional<int64_t>& last) {
  if (!now) return 0;
  const int64_t risen = last ? std::max<int64_t>(0, *now - *last) : 0;
  last = now;
  return risen;
}

}  // namespace

bool note_xids(const GpuReading& reading, int64_t now_ns, GpuState& gpu) {
  bool new_one = false;
  for (const auto& [name, count] : reading.xid_errors_total) {
    int number = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
    if (parsed.ec != std::errc{}) continue;
    Event& event = gpu.xids[number];
    if (count <= event.count) continue;
    event = {count, now_ns};
    new_one = true;
  }
  return new_one;
}

bool take(const GpuReading& reading, int64_t now_ns, GpuState& gpu) {
  const int64_t read_ns = reading.read_ns != 0 ? reading.read_ns : now_ns;
  if (read_ns == gpu.last.read_ns) return false;  // the same reading once more
  GpuBucket& bucket = gpu.recent.open;
  if (gpu.last.read_ns != 0) bucket.covered_ns += std::max<int64_t>(0, read_ns - gpu.last.read_ns);
  gpu.last.read_ns = read_ns;
  take_values(reading, bucket.values);
  take_brakes(reading, gpu);
  bucket.processes = std::max(bucket.processes, reading.processes.size());
  bucket.replays += rise(reading.pcie_replays_total, gpu.last.replays);
  gpu.remap_pending = reading.remap_pending.value_or(false);
  if (reading.memory_total_bytes)
    gpu.memory_total = static_cast<double>(*reading.memory_total_bytes);
  take_memory(reading, now_ns, gpu);
  bool happened = note_xids(reading, now_ns, gpu);
  if (const int64_t errors = rise(reading.ecc_uncorrected_errors_total, gpu.last.uncorrected)) {
    gpu.uncorrected = {gpu.uncorrected.count + errors, now_ns};
    happened = true;
  }
  return happened;
}

}  // namespace batchscope::watch
