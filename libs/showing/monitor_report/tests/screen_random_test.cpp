#include <gmock/gmock.h>

#include <limits>
#include <random>
#include <string>

#include "batchscope/base/characters.hpp"
#include "batchscope/monitor_report/plain_lines.hpp"
#include "batchscope/monitor_report/screen.hpp"

// Whatever is read, a frame fits its screen and steers no terminal.
namespace batchscope::monitor_report {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  int64_t integer(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(engine_);
  }
  bool often() { return integer(0, 3) > 0; }

  std::string text() {
    static const std::string kParts[] = {"GPU",
                                         " ",
                                         "漢",
                                         "é",
                                         "\x1b[2J",
                                         "\n",
                                         "\xff",
                                         "🚀",
                                         "e\u0301",
                                         "\u202e",
                                         "0123456789012345",
                                         "\x9b",
                                         "\x07",
                                         "no answer for 5.0 s",
                                         "\t"};
    std::string all;
    for (int64_t i = integer(0, 9); i > 0; --i) {
      all += kParts[static_cast<size_t>(integer(0, std::ssize(kParts) - 1))];
    }
    return all;
  }

  void fill(std::optional<double>& value) {
    static constexpr double kOdd[] = {0,
                                      1,
                                      -1,
                                      1e300,
                                      -1e300,
                                      5e-324,
                                      1e15,
                                      std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN()};
    if (!often()) return;
    value = often() ? static_cast<double>(integer(0, 1'000'000)) * 1e-6
                    : kOdd[static_cast<size_t>(integer(0, std::ssize(kOdd) - 1))];
  }
  void fill(std::optional<int64_t>& value) {
    if (often()) value = time();
  }
  int64_t time() {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    return often() ? integer(0, int64_t{1} << 40) : integer(-kMost, kMost);
  }

 private:
  std::mt19937_64 engine_;
};

telemetry::GpuReading random_gpu(Random& random) {
  telemetry::GpuReading gpu;
  gpu.gpu = random.often() ? std::to_string(random.integer(0, 9)) : random.text();
  gpu.name = random.text();
  gpu.up = random.often();
  gpu.why_down = random.text();
  gpu.read_ns = random.time();
  for (auto* value : {&gpu.busy_ratio, &gpu.sm_active_ratio, &gpu.tensor_active_ratio,
                      &gpu.power_watts, &gpu.power_limit_watts, &gpu.temperature_celsius,
                      &gpu.slowdown_temperature_celsius, &gpu.sm_clock_hertz}) {
    random.fill(*value);
  }
  random.fill(gpu.memory_used_bytes);
  random.fill(gpu.memory_total_bytes);
  if (!random.often()) gpu.throttle_reasons = {random.text(), "power_cap"};
  return gpu;
}

telemetry::HostReading random_host(Random& random) {
  telemetry::HostReading host;
  for (auto* value :
       {&host.cpu_busy_ratio, &host.cpu_iowait_ratio, &host.cpu_steal_ratio, &host.load_average,
        &host.cpu_limit, &host.cpu_throttled_ratio, &host.pressure_cpu_some_ratio,
        &host.pressure_memory_some_ratio, &host.pressure_io_some_ratio, &host.disk_busy_ratio,
        &host.disk_read_bytes_per_second, &host.network_transmit_bytes_per_second}) {
    random.fill(*value);
  }
  random.fill(host.cpus);
  random.fill(host.memory_used_bytes);
  random.fill(host.memory_total_bytes);
  random.fill(host.swap_used_bytes);
  return host;
}

telemetry::ProcessReading random_process(Random& random) {
  telemetry::ProcessReading process;
  process.pid = random.time();
  process.name = random.text();
  for (auto* value : {&process.cpu_cores, &process.busiest_thread_ratio, &process.io_wait_ratio,
                      &process.read_bytes_per_second, &process.write_bytes_per_second}) {
    random.fill(*value);
  }
  random.fill(process.resident_bytes);
  random.fill(process.gpu_memory_bytes);
  return process;
}

telemetry::Sample random_sample(Random& random) {
  telemetry::Sample sample;
  sample.time_ns = random.time();
  sample.gpu_absent = random.text();
  for (int64_t i = random.integer(0, 12); i > 0; --i) sample.gpus.push_back(random_gpu(random));
  sample.host = random_host(random);
  for (int64_t i = random.integer(0, 9); i > 0; --i) {
    sample.processes.push_back(random_process(random));
  }
  return sample;
}

telemetry::TrainingStep random_step(Random& random) {
  telemetry::TrainingStep step;
  step.source = random.often() ? "" : random.text();
  step.time_ns = random.time();
  step.step = random.time();
  std::optional<double> seconds;
  random.fill(seconds);
  step.seconds = seconds.value_or(0);
  random.fill(step.loss);
  random.fill(step.learning_rate);
  random.fill(step.loading_seconds);
  if (random.often()) step.batch_size = random.integer(0, 4096);
  if (!random.often()) step.loss_word = random.text();
  return step;
}

View random_view(Random& random, const ScreenHistory& history) {
  View view;
  view.host = random.text();
  view.watched = random.text();
  view.exporter = random.text();
  view.sample = random_sample(random);
  view.history = random.often() ? &history : nullptr;
  for (int64_t i = random.integer(0, 6); i > 0; --i) {
    watch::ActiveFinding one;
    one.finding.what = random.text();
    one.finding.fix = random.text();
    one.finding.severity = static_cast<findings::Severity>(random.integer(0, 3));
    if (random.often()) {
      one.finding.where = findings::GpuMoment{static_cast<int>(random.integer(0, 9)), {}};
    }
    one.since_ns = random.time();
    view.findings.push_back(one);
  }
  return view;
}

void expect_fits(const Screen& screen, const ScreenSize& size) {
  ASSERT_LE(screen.lines.size(), static_cast<size_t>(std::max(size.rows, 0)));
  for (const std::string& line : screen.lines) {
    const std::string plain = base::clean(line);  // without colour
    ASSERT_LE(base::display_width(plain), static_cast<size_t>(size.columns)) << plain;
    if (!size.colour) {
      ASSERT_EQ(plain, line);
    }
  }
}

TEST(RandomScreens, NoFrameIsLargerThanItsScreen) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    ScreenHistory history;
    for (int64_t i = random.integer(0, 5); i > 0; --i) history.add(random_sample(random));
    for (int64_t i = random.integer(0, 5); i > 0; --i) history.add(random_step(random));
    const View view = random_view(random, history);
    ScreenSize size{static_cast<int>(random.integer(-1, 200)),
                    static_cast<int>(random.integer(-1, 60)), random.often(), random.often()};
    if (seed % 5 == 0) size.columns = static_cast<int>(random.integer(0, 12));
    expect_fits(render(view, size), size);
    const std::string line = sample_line(view.sample, &history);
    ASSERT_EQ(base::clean(line), line);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace batchscope::monitor_report
