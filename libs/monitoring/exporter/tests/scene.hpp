#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "batchscope/exporter/metrics_snapshot.hpp"

// A machine that trains on some GPUs, with every number that can be exported: constants of the
// GPU's number, and counters that grow by the second. What deploy/ is tested against.
namespace batchscope::exporter::scene {

inline constexpr int64_t kBegin = 1'785'000'000'000'000'000;
inline constexpr int64_t kSecond = 1'000'000'000;
inline constexpr int64_t kGibibyte = int64_t{1} << 30;

inline telemetry::GpuReading gpu(int number, int64_t time_ns, int64_t seconds) {
  const double n = number;
  telemetry::GpuReading gpu;
  gpu.gpu = std::to_string(number);
  gpu.uuid = "GPU-00000000-0000-0000-0000-00000000000" + gpu.gpu;
  gpu.name = "NVIDIA H100 80GB HBM3";
  gpu.pci_bus_id = "00000000:1" + gpu.gpu + ":00.0";
  gpu.up = true;
  gpu.read_ns = time_ns;
  gpu.busy_ratio = 0.9 + n / 100;
  gpu.memory_busy_ratio = 0.4;
  gpu.graphics_active_ratio = 0.85;
  gpu.sm_active_ratio = 0.7;
  gpu.sm_occupancy_ratio = 0.3;
  gpu.tensor_active_ratio = 0.5;
  gpu.dram_active_ratio = 0.6;
  gpu.pcie_transmit_bytes_per_second = 1e9;
  gpu.pcie_receive_bytes_per_second = 2e9;
  gpu.nvlink_transmit_bytes_per_second = 3e9;
  gpu.nvlink_receive_bytes_per_second = 4e9;
  gpu.memory_used_bytes = (10 + number) * kGibibyte;
  gpu.memory_total_bytes = 80 * kGibibyte;
  gpu.memory_reserved_bytes = kGibibyte / 2;
  gpu.power_watts = 500 + n;
  gpu.power_limit_watts = 700;
  gpu.energy_joules_total = 1e6 + (500 + n) * static_cast<double>(seconds);
  gpu.temperature_celsius = 60 + n;
  gpu.memory_temperature_celsius = 70 + n;
  gpu.slowdown_temperature_celsius = 90;
  gpu.sm_clock_hertz = 1.98e9;
  gpu.max_sm_clock_hertz = 1.98e9;
  gpu.memory_clock_hertz = 2.619e9;
  gpu.throttle_ns_total = {{"power_cap", seconds * kSecond / 10}, {"thermal", 0}};
  gpu.ecc_corrected_errors_total = 3;
  gpu.ecc_uncorrected_errors_total = 0;
  gpu.remapped_rows_total = 0;
  gpu.remap_pending = false;
  gpu.pcie_replays_total = 1;
  gpu.pcie_link_generation = 5;
  gpu.pcie_link_width = 16;
  return gpu;
}

// As the driver tells of a GPU that fell off the bus.
inline void lose(telemetry::GpuReading& gpu) {
  telemetry::GpuReading lost;
  lost.gpu = gpu.gpu;
  lost.uuid = gpu.uuid;
  lost.name = gpu.name;
  lost.pci_bus_id = gpu.pci_bus_id;
  lost.why_down = "GPU is lost";
  gpu = std::move(lost);
}

inline telemetry::HostReading host() {
  telemetry::HostReading host;
  host.cpus = 64;
  host.cpu_limit = 48;
  host.cpu_busy_ratio = 0.35;
  host.cpu_system_ratio = 0.05;
  host.cpu_iowait_ratio = 0.01;
  host.cpu_steal_ratio = 0;
  host.cpu_busy_ratio_by_core = {0.5, 0.2};
  host.cpu_throttled_ratio = 0;
  host.load_average = 21.5;
  host.memory_used_bytes = 100 * kGibibyte;
  host.memory_total_bytes = 512 * kGibibyte;
  host.swap_used_bytes = 0;
  host.pressure_cpu_some_ratio = 0.02;
  host.pressure_memory_some_ratio = 0;
  host.pressure_memory_full_ratio = 0;
  host.pressure_io_some_ratio = 0.03;
  host.pressure_io_full_ratio = 0.01;
  host.disk_read_bytes_per_second = 5e8;
  host.disk_write_bytes_per_second = 1e6;
  host.disk_busy_ratio = 0.2;
  host.network_receive_bytes_per_second = 1e8;
  host.network_transmit_bytes_per_second = 2e8;
  return host;
}

inline telemetry::ProcessReading process(int64_t pid, const std::string& name, double cores) {
  telemetry::ProcessReading process;
  process.pid = pid;
  process.name = name;
  process.cpu_cores = cores;
  process.busiest_thread_ratio = cores / 2;
  process.threads = 8;
  process.io_wait_ratio = 0.01;
  process.resident_bytes = 2 * kGibibyte;
  process.read_bytes_per_second = 1e8;
  process.write_bytes_per_second = 1e6;
  process.gpu_memory_bytes = 3 * kGibibyte;
  return process;
}

// `time_ns`: now, so many seconds after it began.
inline MetricsSnapshot at(int gpus, int64_t time_ns, int64_t seconds) {
  MetricsSnapshot exposition;
  exposition.sample.time_ns = time_ns;
  for (int number = 0; number < gpus; ++number) {
    exposition.sample.gpus.push_back(gpu(number, time_ns, seconds));
  }
  exposition.sample.host = host();
  exposition.sample.processes = {process(10, "python3", 1.5), process(11, "python3", 0.5),
                                 process(12, "tee", 0.25)};
  telemetry::TrainingStep step;
  step.time_ns = time_ns;
  step.source = "train";
  step.step = 100 + 2 * seconds;
  step.seconds = 0.5;
  step.loss = 2.25;
  step.learning_rate = 3e-4;
  step.batch_size = 32;
  step.loading_seconds = 0.05;
  exposition.steps = {step};
  exposition.steps_total = {{"train", 2 * seconds}};
  exposition.samples_total = {{"train", 64 * seconds}};
  return exposition;
}

inline MetricsSnapshot at(int gpus, int64_t seconds) {
  return at(gpus, kBegin + seconds * kSecond, seconds);
}

}  // namespace batchscope::exporter::scene
