#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "batchscope/telemetry/sample.hpp"
#include "batchscope/watch/watch.hpp"

namespace batchscope::watch {

inline constexpr int64_t kSecondNs = 1'000'000'000;
inline constexpr int64_t kBeganNs = 1'700'000'000 * kSecondNs;

// A GPU that is up and used, all well.
inline telemetry::GpuReading busy_gpu(const std::string& gpu = "0", double busy = 0.97) {
  telemetry::GpuReading reading;
  reading.gpu = gpu;
  reading.uuid = "GPU-" + gpu;
  reading.name = "NVIDIA H100 80GB HBM3";
  reading.up = true;
  reading.busy_ratio = busy;
  reading.sm_active_ratio = 0.8 * busy;
  reading.memory_used_bytes = 70'000'000'000;
  reading.memory_total_bytes = 80'000'000'000;
  reading.power_watts = 100 + 450 * busy;
  reading.power_limit_watts = 700;
  reading.sm_clock_hertz = 1.9e9;
  reading.max_sm_clock_hertz = 1.98e9;
  reading.pcie_link_generation = 5;
  reading.pcie_link_width = 16;
  reading.processes = {{4711, std::nullopt}};
  return reading;
}

// At a second of a log.
inline telemetry::Sample sample_at(int64_t second, telemetry::GpuReading gpu) {
  telemetry::Sample sample;
  sample.time_ns = kBeganNs + second * kSecondNs;
  gpu.read_ns = sample.time_ns;
  sample.gpus = {std::move(gpu)};
  return sample;
}

// One of a second, that ends then.
inline telemetry::TrainingStep step_at(int64_t second) {
  telemetry::TrainingStep step;
  step.step = second;
  step.time_ns = kBeganNs + second * kSecondNs;
  step.seconds = 1;
  return step;
}

inline telemetry::GpuReading low_gpu(int64_t) {
  return busy_gpu("0", 0.4);
}
inline telemetry::GpuReading good_gpu(int64_t) {
  return busy_gpu();
}

inline std::vector<std::string> ids(const std::vector<ActiveFinding>& active) {
  std::vector<std::string> ids;
  for (const ActiveFinding& each : active) ids.push_back(each.finding.id);
  return ids;
}

// One GPU, from one second to another.
inline void watch_gpu(Watch& watch, int64_t from, int64_t to,
                      const std::function<telemetry::GpuReading(int64_t)>& reading) {
  for (int64_t second = from; second < to; ++second) watch.add(sample_at(second, reading(second)));
}

}  // namespace batchscope::watch
