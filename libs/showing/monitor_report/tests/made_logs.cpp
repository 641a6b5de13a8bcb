#include "made_logs.hpp"

#include <cmath>
#include <random>

#include "batchscope/watch/watch.hpp"

namespace batchscope::monitor_report::testing {
namespace {

using findings::Finding;
using findings::Severity;
using telemetry::GpuReading;
using telemetry::Sample;
using telemetry::TrainingStep;
using watch::ActiveFinding;

constexpr int64_t kStart = 1'790'856'000'000'000'000;  // 2026-10-01 12:00:00 UTC
constexpr int64_t kSecond = 1'000'000'000;

class Noise {
 public:
  // About 0, as far as that in most cases.
  double operator()(double scale) {
    return scale * (static_cast<double>(random_() % 2001) / 1000 - 1);
  }

 private:
  std::mt19937 random_{7};
};

GpuReading made_gpu(int index, int64_t time_ns, Noise& noise) {
  GpuReading gpu;
  gpu.gpu = std::to_string(index);
  gpu.name = "NVIDIA H100 80GB HBM3";
  gpu.up = true;
  gpu.read_ns = time_ns;
  gpu.busy_ratio = 0.97 + noise(0.03);
  gpu.sm_active_ratio = 0.74 + 0.01 * index + noise(0.05);
  gpu.memory_used_bytes = (int64_t{61} << 30) + (static_cast<int64_t>(index) << 28);
  gpu.memory_total_bytes = int64_t{80} << 30;
  gpu.power_watts = 610 + 4 * index + noise(30);
  gpu.power_limit_watts = 700;
  gpu.energy_joules_total = 1e9 + 620e-9 * static_cast<double>(time_ns - kStart);
  gpu.temperature_celsius = 58 + index + std::round(noise(2));
  gpu.slowdown_temperature_celsius = 90;
  gpu.sm_clock_hertz = 1.98e9 - 15e6 * std::round(std::abs(noise(2)));
  gpu.max_sm_clock_hertz = 1.98e9;
  return gpu;
}

void set_host(telemetry::HostReading& host, Noise& noise) {
  host.cpus = 64;
  host.cpu_busy_ratio = 0.31 + noise(0.06);
  host.cpu_system_ratio = 0.04 + noise(0.01);
  host.cpu_iowait_ratio = 0.01 + noise(0.01);
  host.memory_used_bytes = int64_t{212} << 30;
  host.memory_total_bytes = int64_t{512} << 30;
  host.swap_used_bytes = 0;
  host.pressure_cpu_some_ratio = std::abs(noise(0.02));
  host.pressure_memory_some_ratio = 0;
  host.pressure_io_some_ratio = std::abs(noise(0.05));
  host.disk_read_bytes_per_second = 240e6 + noise(60e6);
  host.disk_write_bytes_per_second = std::abs(noise(5e6));
}

MadeLog made_log(int gpus, int64_t samples) {
  MadeLog made;
  made.log.header.tool_version = "0.1.0";
  made.log.header.created = "2026-10-01T12:00:00Z";
  made.log.header.host = "node-17";
  made.log.header.interval_seconds = 1;
  Noise noise;
  made.log.samples.resize(static_cast<size_t>(samples));
  int64_t time_ns = kStart;
  for (Sample& sample : made.log.samples) {
    sample.time_ns = time_ns;
    for (int i = 0; i < gpus; ++i) sample.gpus.push_back(made_gpu(i, time_ns, noise));
    set_host(sample.host, noise);
    time_ns += kSecond;
  }
  return made;
}

ActiveFinding active(const char* id, Severity severity, std::string what, int64_t since,
                     std::optional<int64_t> ended) {
  ActiveFinding made;
  made.finding.id = id;
  made.finding.severity = severity;
  made.finding.status = findings::Status::measured;
  made.finding.what = std::move(what);
  made.since_ns = kStart + since * kSecond;
  if (ended) made.ended_ns = kStart + *ended * kSecond;
  return made;
}

double made_loss(int64_t step, Noise& noise) {
  return 1.9 + 7.5 * std::exp(-static_cast<double>(step) / 3000) + noise(0.05);
}

// A step of a tenth of a second, slower from the middle on.
void add_steps(MadeLog& made, int64_t steps) {
  Noise noise;
  int64_t time_ns = kStart;
  for (int64_t i = 0; i < steps; ++i) {
    TrainingStep step;
    step.step = i;
    step.seconds = (i < steps * 3 / 5 ? 0.100 : 0.123) + noise(0.004);
    if (i % 2500 == 2499) step.seconds += 1.1;  // a checkpoint
    time_ns += static_cast<int64_t>(1e9 * step.seconds);
    step.time_ns = time_ns;
    step.loss = made_loss(i, noise);
    step.batch_size = 256;
    step.loading_seconds = 0.006 + std::abs(noise(0.004));
    made.log.steps.push_back(step);
  }
}

void let_clock_fall(MadeLog& made, size_t from, size_t to) {
  for (size_t i = from; i < to && i < made.log.samples.size(); ++i) {
    GpuReading& gpu = made.log.samples[i].gpus.back();
    gpu.sm_clock_hertz = 1.2e9;
    gpu.power_watts = 395;
    gpu.temperature_celsius = 89;
  }
  for (size_t i = from; i < made.log.samples.size(); ++i) {
    made.log.samples[i].gpus.back().throttle_ns_total["thermal"] =
        static_cast<int64_t>(std::min(i, to) - from) * kSecond;
  }
}

}  // namespace

MadeLog healthy(int gpus, int64_t samples) {
  return made_log(gpus, samples);
}

MadeLog trained(int64_t steps) {
  MadeLog made = made_log(2, steps / 9);
  add_steps(made, steps);
  made.log.header.command = {"python", "train.py", "--epochs", "3"};
  made.log.steps[static_cast<size_t>(steps / 2)].profile_file = "traces/step-10000.json";
  let_clock_fall(made, 700, 950);
  const int64_t slower =
      (made.log.steps[static_cast<size_t>(steps * 3 / 5)].time_ns - kStart) / kSecond;
  made.active_findings.push_back(active("training.step-time-changed", Severity::high,
                                        "Steps take 23 % longer since step 12000", slower, {}));
  Finding& change = made.active_findings.back().finding;
  change.fix = "compare the traces of steps before and after 12000";
  change.evidence = {{"step_seconds", {0.123, stats::Interval{0.1228, 0.1232}}, "s"},
                     {"excess", {0.23, stats::Interval{0.22, 0.24}}, "ratio"}};
  change.doc = "batchscope help training.step-time-changed";
  made.active_findings.push_back(active("gpu.thermal", Severity::medium,
                                        "GPU 1 is slowed down by its temperature: 1200 of 1980 MHz",
                                        700, 950));
  Finding& hot = made.active_findings.back().finding;
  hot.where =
      findings::GpuMoment{1, std::chrono::sys_time<std::chrono::milliseconds>(
                                 std::chrono::milliseconds((kStart + 700 * kSecond) / 1'000'000))};
  hot.cause = "89 degrees Celsius, and it slows itself down from 90 on";
  hot.evidence = {{"sm_clock", {1200, {}}, "MHz"}, {"temperature", {89, {}}, "C"}};
  hot.fix = "look at its fans and at the air before it";
  for (int64_t at : {271, 545, 820}) {
    made.active_findings.push_back(active("training.step-outlier", Severity::low,
                                          "One step took 12 times as long as usual", at, at + 1));
  }
  return made;
}

MadeLog week(int64_t samples) {
  MadeLog made = made_log(1, samples);
  made.log.samples[static_cast<size_t>(samples / 3)].gpus[0].temperature_celsius = 97;
  return made;
}

MadeLog without_gpu() {
  MadeLog made = made_log(0, 300);
  for (Sample& sample : made.log.samples) sample.gpu_absent = "no NVIDIA driver is loaded";
  return made;
}

MadeLog lost_gpu() {
  MadeLog made = made_log(4, 400);
  auto& samples = made.log.samples;
  samples.erase(samples.begin() + 200, samples.begin() + 260);
  for (size_t i = 120; i < samples.size(); ++i) {
    GpuReading& gpu = samples[i].gpus[2];
    const GpuReading before = gpu;
    gpu = {};
    gpu.gpu = before.gpu;
    gpu.name = before.name;
    gpu.why_down = "GPU is lost";
    gpu.xid_errors_total["79"] = 1;
  }
  made.active_findings = {active("gpu.lost", Severity::high,
                                 "GPU 2 does not answer any more: GPU is lost (XID 79)", 120, {})};
  made.active_findings.front().finding.fix =
      "reset it (nvidia-smi --gpu-reset -i 2) or restart the machine; look at its power cables";
  return made;
}

MadeLog hostile(const std::string& text) {
  MadeLog made = made_log(2, 60);
  add_steps(made, 60);
  made.file = made.log.header.host = made.log.header.tool_version = text;
  made.log.header.command = {text, text};
  made.log.first_problem = text;
  made.log.unread_lines = 3;
  for (Sample& sample : made.log.samples) {
    sample.gpus[1].gpu = sample.gpus[1].name = sample.gpus[0].name = text;
    sample.gpus[1].throttle_ns_total[text] = kSecond;
    sample.gpus[1].xid_errors_total[text] = 1;
  }
  made.log.samples.back().gpus[0].up = false;
  made.log.samples.back().gpus[0].why_down = text;
  for (TrainingStep& step : made.log.steps) step.source = step.profile_file = text;
  made.active_findings = {active("hostile.kind", Severity::high, text, 10, {})};
  Finding& finding = made.active_findings.front().finding;
  finding.id = finding.fix = finding.cause = finding.doc = text;
  finding.evidence = {{text, {1, {}}, text}};
  return made;
}

MadeLog empty() {
  MadeLog made;
  made.log.header.host = "node-17";
  return made;
}

LogView view_of(const MadeLog& made) {
  return {made.log, made.active_findings, made.file, watch::kinds()};
}

}  // namespace batchscope::monitor_report::testing
