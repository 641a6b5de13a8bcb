// What a watch costs: 8 GPUs, 48 processes and 128 CPUs, a sample a second for so many days.
//
//   watch_cost [days, default 7]      prints microseconds a sample, and resident memory day by day

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "batchscope/stats/rng.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "batchscope/watch/watch.hpp"

namespace {

using namespace batchscope;
using Clock = std::chrono::steady_clock;

constexpr int64_t kSecondNs = 1'000'000'000;

telemetry::Sample first_sample() {
  telemetry::Sample sample;
  for (int i = 0; i < 8; ++i) {
    telemetry::GpuReading gpu;
    gpu.gpu = std::to_string(i);
    gpu.uuid = fmt::format("GPU-00000000-0000-0000-0000-{:012}", i);
    gpu.name = "NVIDIA H100 80GB HBM3";
    gpu.up = true;
    gpu.memory_total_bytes = 80'000'000'000;
    gpu.power_limit_watts = 700;
    gpu.max_sm_clock_hertz = 1.98e9;
    gpu.throttle_ns_total = {{"power_cap", 0}, {"thermal", 0}};
    gpu.pcie_link_generation = 5;
    gpu.pcie_link_width = 16;
    gpu.processes = {{1000 + i, std::nullopt}};
    sample.gpus.push_back(gpu);
  }
  for (int i = 0; i < 48; ++i) {
    telemetry::ProcessReading process;
    process.pid = i < 8 ? 1000 + i : 2000 + i;
    process.parent = i < 8 ? 1 : 1000 + i % 8;
    process.name = "python3";
    sample.processes.push_back(process);
  }
  sample.host.cpus = 128;
  sample.host.cpu_busy_ratio_by_core.resize(128);
  sample.host.memory_total_bytes = 1'000'000'000'000;
  return sample;
}

void change(stats::Rng& rng, int64_t second, telemetry::Sample& sample) {
  sample.time_ns = (1'700'000'000 + second) * kSecondNs;
  for (telemetry::GpuReading& gpu : sample.gpus) {
    gpu.read_ns = sample.time_ns;
    gpu.busy_ratio = 0.9 + 0.1 * rng.uniform();
    gpu.sm_active_ratio = gpu.tensor_active_ratio = gpu.dram_active_ratio = 0.5 * *gpu.busy_ratio;
    gpu.memory_used_bytes = static_cast<int64_t>(5e10 + 1e9 * rng.uniform());
    gpu.power_watts = 500 + 100 * rng.uniform();
    gpu.sm_clock_hertz = 1.8e9;
    gpu.temperature_celsius = 60 + rng.uniform();
    gpu.throttle_ns_total["power_cap"] += kSecondNs / 2;
  }
  for (telemetry::ProcessReading& process : sample.processes) {
    process.cpu_cores = process.busiest_thread_ratio = 0.5 * rng.uniform();
    process.resident_bytes = static_cast<int64_t>(5e9 + 1e8 * rng.uniform());
  }
  for (double& core : sample.host.cpu_busy_ratio_by_core) core = rng.uniform();
  sample.host.cpu_busy_ratio = 0.5;
  sample.host.memory_used_bytes = static_cast<int64_t>(4e11 + 1e9 * rng.uniform());
}

std::string resident() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return line.substr(6);
  }
  return " unknown";
}

}  // namespace

int main(int argc, char** argv) {
  const int days = argc > 1 ? std::atoi(argv[1]) : 7;
  constexpr int64_t kDay = 86'400;
  stats::Rng rng(1);
  watch::Watch watch;
  telemetry::Sample sample = first_sample();
  for (int day = 1; day <= days; ++day) {
    Clock::duration spent{};
    Clock::duration longest{};
    for (int64_t second = (day - 1) * kDay; second < day * kDay; ++second) {
      change(rng, second, sample);
      const auto begin = Clock::now();
      watch.add(sample);
      const auto took = Clock::now() - begin;
      spent += took;
      longest = std::max(longest, took);
    }
    const auto us = [](Clock::duration time) {
      return std::chrono::duration<double, std::micro>(time).count();
    };
    fmt::print("day {}: {:.1f} us a sample, at most {:.0f} us, {} standing, resident{}\n", day,
               us(spent) / kDay, us(longest), watch.active().size(), resident());
  }
  return 0;
}
