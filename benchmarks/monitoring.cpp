// What monitoring costs inside of a program: a step that is logged, a sample that is judged, and
// the memory of a monitor after a week of samples, a sample a second, 8 GPUs.
//
// usage: bench_monitoring [samples]

#include <fmt/format.h>
#include <malloc.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "batchscope/monitor/session.hpp"
#include "batchscope/monitor/training_monitor.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rng.hpp"

namespace {

using namespace batchscope;
using Clock = std::chrono::steady_clock;

constexpr int64_t kSecond = 1'000'000'000, kWeek = 7 * 24 * 3600;
constexpr int kGpus = 8;

double ns_since(Clock::time_point begun) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begun).count();
}

// What is allocated now, whatever pages it lies in.
int64_t heap_bytes() {
  return static_cast<int64_t>(mallinfo2().uordblks);
}

int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  int64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4096;
}

telemetry::Sample sample_of(int64_t second, stats::Rng& rng) {
  telemetry::Sample sample;
  sample.time_ns = second * kSecond;
  for (int gpu = 0; gpu < kGpus; ++gpu) {
    telemetry::GpuReading reading;
    reading.gpu = std::to_string(gpu);
    reading.uuid = "GPU-" + reading.gpu;
    reading.up = true;
    reading.busy_ratio = 0.9 + 0.05 * rng.uniform();
    reading.sm_active_ratio = 0.8 + 0.05 * rng.uniform();
    reading.memory_used_bytes = int64_t{60} << 30;
    reading.memory_total_bytes = int64_t{80} << 30;
    reading.power_watts = 600 + 20 * rng.uniform();
    reading.power_limit_watts = 700;
    reading.temperature_celsius = 60 + rng.uniform();
    reading.sm_clock_hertz = 1.9e9;
    reading.max_sm_clock_hertz = 1.98e9;
    sample.gpus.push_back(reading);
  }
  sample.host.cpu_busy_ratio = 0.5 + 0.1 * rng.uniform();
  sample.host.memory_used_bytes = int64_t{100} << 30;
  sample.host.memory_total_bytes = int64_t{500} << 30;
  return sample;
}

telemetry::TrainingStep step_of(int64_t second, stats::Rng& rng) {
  telemetry::TrainingStep step;
  step.time_ns = second * kSecond;
  step.step = second;
  step.seconds = 0.9 + 0.1 * rng.uniform();
  step.loss = 1 + 0.1 * rng.uniform();
  step.batch_size = 64;
  return step;
}

// Rounds apart, so that one that another program disturbed stands out.
void show_hook() {
  constexpr int kRounds = 21, kSteps = 20'000;
  monitor::TrainingMonitorOptions options;
  options.log = std::string(std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp") +
                "/bench_monitoring.jsonl";
  options.overwrite = true;
  options.interval = std::chrono::milliseconds(200);
  auto started = monitor::TrainingMonitor::start(options);
  if (!started) {
    fmt::print("log_step: {}\n", base::to_string(started.error()));
    return;
  }
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const auto begun = Clock::now();
    for (int step = 0; step < kSteps; ++step) (*started)->log_step(step, 1.0, 0.1, 64, 0.01);
    rounds.push_back(ns_since(begun) / kSteps);
  }
  (*started)->close();
  std::remove(options.log.c_str());
  fmt::print(
      "| `log_step` of a training monitor that writes a log | {:.0f} ns ({:.0f} to {:.0f}) | 1000 "
      "ns |\n",
      stats::median(rounds), stats::quantile(rounds, 0), stats::quantile(rounds, 1));
}

void show_week(int64_t samples) {
  monitor::MonitorSession session;
  stats::Rng rng(7);
  const int64_t warm = samples / 7;
  int64_t resident = 0, heap = 0;
  double judging = 0;
  for (int64_t second = 0; second < samples; ++second) {
    session.add(step_of(second, rng));
    telemetry::Sample sample = sample_of(second, rng);
    const auto begun = Clock::now();
    session.add(std::move(sample));
    judging += ns_since(begun);
    if (second == warm) {
      resident = resident_bytes();
      heap = heap_bytes();
    }
  }
  resident = resident_bytes() - resident;
  heap = heap_bytes() - heap;
  fmt::print("| judging a sample of {} GPUs | {:.1f} us | - |\n", kGpus,
             judging / static_cast<double>(samples) / 1000);
  fmt::print(
      "| heap that {} simulated samples added after the first seventh | {} bytes | 0 |\n"
      "| resident memory that they added | {:.2f} MiB | - |\n",
      samples, heap, static_cast<double>(resident) / (1 << 20));
  fmt::print("| resident memory of the program that judged them | {:.1f} MiB | - |\n",
             static_cast<double>(resident_bytes()) / (1 << 20));
}

}  // namespace

int main(int argc, char** argv) {
  show_hook();
  show_week(argc > 1 ? std::atoll(argv[1]) : kWeek);
}
