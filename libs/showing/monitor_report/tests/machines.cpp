#include "machines.hpp"

#include <chrono>
#include <cmath>

namespace batchscope::monitor_report::testing {
namespace {

constexpr int kSeconds = 119;
constexpr double kGib = 1024.0 * 1024 * 1024;

int64_t gib(double size) {
  return std::llround(size * kGib);
}

// Between 0 and 1, up and down.
double wave(int at, int period) {
  return 0.5 + 0.5 * std::sin(2 * 3.141592653589793 * at / period);
}

}  // namespace

telemetry::GpuReading made_up_gpu(int gpu, int second) {
  telemetry::GpuReading reading;
  reading.gpu = std::to_string(gpu);
  reading.uuid = "GPU-0000000" + reading.gpu;
  reading.name = "NVIDIA H100 80GB HBM3";
  reading.up = true;
  reading.read_ns = kNoon + second * kMachineSecond;
  reading.busy_ratio = gpu == 2 ? 0.35 * wave(second, 60) : 0.90 + 0.1 * wave(second + gpu, 30);
  reading.sm_active_ratio = *reading.busy_ratio * 0.8;
  reading.memory_used_bytes = gib(60 + 2.5 * gpu);
  reading.memory_total_bytes = gib(79.6);
  reading.power_watts = 400 + 40 * gpu;
  reading.power_limit_watts = 700;
  reading.energy_joules_total = 1e6 + 400.0 * second;
  reading.temperature_celsius = 55 + gpu;
  reading.slowdown_temperature_celsius = 87;
  reading.sm_clock_hertz = 1980e6;
  if (gpu == 5) {
    reading.throttle_reasons = {"power_cap"};
    reading.sm_clock_hertz = 1410e6;
    reading.throttle_ns_total = {{"power_cap", second * kMachineSecond}};
  }
  return reading;
}

telemetry::Sample made_up_sample(int gpus, int seconds) {
  telemetry::Sample sample;
  sample.time_ns = kNoon + seconds * kMachineSecond;
  for (int gpu = 0; gpu < gpus; ++gpu) sample.gpus.push_back(made_up_gpu(gpu, seconds));
  if (gpus == 0) sample.gpu_absent = "libnvidia-ml.so.1 is not there: no NVIDIA driver";
  telemetry::HostReading& host = sample.host;
  host.cpus = 64;
  host.cpu_busy_ratio = 0.2 + 0.3 * wave(seconds, 40);
  host.cpu_iowait_ratio = 0.02;
  host.cpu_steal_ratio = 0;
  host.cpu_busy_ratio_by_core = {0.3, 1.0, 0.2};
  host.load_average = 21.34;
  host.memory_used_bytes = gib(112.4);
  host.memory_total_bytes = gib(503.5);
  host.swap_used_bytes = 0;
  host.pressure_cpu_some_ratio = 0.01;
  host.pressure_memory_some_ratio = 0;
  host.pressure_io_some_ratio = 0.03;
  host.disk_busy_ratio = 0.41;
  host.disk_read_bytes_per_second = 120.0 * 1024 * 1024;
  host.disk_write_bytes_per_second = 3.0 * 1024 * 1024;
  host.network_receive_bytes_per_second = kGib;
  host.network_transmit_bytes_per_second = 20.0 * 1024 * 1024;
  for (int i = 0; i < 6; ++i) {
    telemetry::ProcessReading process;
    process.pid = 4711 + i;
    process.parent = i == 0 ? 1 : 4711;
    process.name = i == 0 ? "python3" : "pt_data_worker";
    process.cpu_cores = i == 0 ? 1.31 : 0.9 - 0.1 * i;
    process.busiest_thread_ratio = i == 0 ? 0.99 : 0.9 - 0.1 * i;
    process.threads = 12;
    process.resident_bytes = gib(i == 0 ? 14.2 : 1.1);
    process.read_bytes_per_second = 20.0 * 1024 * 1024;
    process.write_bytes_per_second = 0;
    if (i == 0) process.gpu_memory_bytes = gib(62.1);
    sample.processes.push_back(process);
  }
  return sample;
}

telemetry::TrainingStep made_up_step(int step) {
  telemetry::TrainingStep one;
  one.time_ns = kNoon + step * kMachineSecond / 2;
  one.step = 12'300 + step;
  one.seconds = 0.412;
  one.loss = 2.5 - 0.001 * step;
  one.learning_rate = 3e-4;
  one.batch_size = 512;
  one.loading_seconds = 0.05;
  return one;
}

watch::ActiveFinding active(const std::string& what, findings::Severity severity, int64_t since_ns,
                            const std::string& fix, int gpu) {
  watch::ActiveFinding one;
  one.finding.id = "monitor.test";
  one.finding.what = what;
  one.finding.fix = fix;
  one.finding.severity = severity;
  one.finding.status = findings::Status::measured;
  if (gpu >= 0) one.finding.where = findings::GpuMoment{gpu, {}};
  one.since_ns = since_ns;
  return one;
}

std::vector<watch::ActiveFinding> three_findings() {
  return {
      active("the data loader keeps GPU 2 waiting: busy 18 % while a worker uses a whole CPU",
             findings::Severity::medium, kNoon + 40 * kMachineSecond,
             "raise num_workers from 5 to 12: 64 CPUs are 35 % busy", 2),
      active("the clock is held down by the power limit, 1410 of 1980 MHz", findings::Severity::low,
             kNoon, "raise the limit with nvidia-smi -pl, or leave it: it saves 9 % energy", 5),
      active("XID 79: the GPU has fallen off the bus", findings::Severity::high,
             kNoon + 100 * kMachineSecond,
             "drain the node and reset it; save a checkpoint on the other GPUs first", 3)};
}

ScreenHistory made_up_history(int gpus) {
  ScreenHistory history;
  for (int second = 0; second <= kSeconds; ++second) history.add(made_up_sample(gpus, second));
  for (int step = 0; step < 40; ++step) history.add(made_up_step(step));
  return history;
}

View made_up_view(int gpus, const ScreenHistory& history) {
  View view;
  view.host = "gpu-node-07";
  view.watched = "pid 4711, python3 train.py --config big.yaml";
  view.exporter = "http://127.0.0.1:9400/metrics";
  view.sample = made_up_sample(gpus, kSeconds);
  view.history = &history;
  return view;
}

}  // namespace batchscope::monitor_report::testing
