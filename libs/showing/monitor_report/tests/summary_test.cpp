#include "batchscope/monitor_report/summary.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "approval/approval.hpp"
#include "machines.hpp"

namespace batchscope::monitor_report {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using testing::kMachineSecond;
using testing::kNoon;
using ::testing::Optional;

TEST(Distribution, QuantilesAreNearTheExactOnes) {
  std::mt19937_64 random(20261001);
  std::lognormal_distribution<double> numbers(3, 2);
  std::vector<double> all;
  monitor::StreamingHistogram distribution;
  for (int i = 0; i < 20'000; ++i) {
    all.push_back(numbers(random));
    distribution.add(all.back());
  }
  std::sort(all.begin(), all.end());
  for (const double level : {0.5, 0.95, 0.99}) {
    const double exact = all[static_cast<size_t>(level * 20'000) - 1];
    EXPECT_NEAR(distribution.quantile(level), exact, exact * 0.003) << level;
  }
  EXPECT_EQ(distribution.most(), all.back());
  EXPECT_NEAR(distribution.quantile(1), all.back(), all.back() * 1e-9);
  double sum = 0;
  for (const double one : all) sum += one;
  EXPECT_NEAR(distribution.mean(), sum / 20'000, 1e-6);
}

TEST(Distribution, ZerosCountAndWhatIsNoNumberDoesNot) {
  monitor::StreamingHistogram distribution;
  EXPECT_EQ(distribution.quantile(0.95), 0);
  for (int i = 0; i < 96; ++i) distribution.add(0);
  for (int i = 0; i < 4; ++i) distribution.add(7);
  distribution.add(std::numeric_limits<double>::quiet_NaN());
  distribution.add(std::numeric_limits<double>::infinity());
  EXPECT_EQ(distribution.count(), 100);
  EXPECT_EQ(distribution.quantile(0.95), 0);
  EXPECT_EQ(distribution.quantile(0.97), 7);
  EXPECT_EQ(distribution.most(), 7);
}

monitor::MonitorSummary two_minutes(int gpus) {
  monitor::Totals totals;
  for (int second = 0; second < 120; ++second) {
    telemetry::Sample sample = testing::made_up_sample(gpus, second);
    if (gpus > 3 && second >= 100) {
      sample.gpus[3] = {};
      sample.gpus[3].gpu = "3";
      sample.gpus[3].why_down = "GPU is lost";
    }
    totals.add(sample);
  }
  for (int step = 0; step < 40; ++step) totals.add(testing::made_up_step(step));
  auto findings = testing::three_findings();
  findings[0].ended_ns = kNoon + 90 * kMachineSecond;
  findings[1].times = 3;
  findings[1].gaps_seconds = 60;
  return totals.summary("gpu-node-07", findings);
}

TEST(Summary, ReadsAsText) {
  approval::expect_approved("summary.txt", summary_text(two_minutes(8), true));
}

TEST(Summary, OfAMachineThatStatedNothing) {
  EXPECT_EQ(summary_text(monitor::Totals().summary("", {}), true),
            "the log has no samples and no steps\n");
}

TEST(Summary, ReadsAsJson) {
  approval::expect_approved("summary.json", summary_json(two_minutes(2)) + '\n');
}

telemetry::Sample with_gpu(int second, std::optional<double> joules, std::optional<double> power) {
  telemetry::Sample sample;
  sample.time_ns = kNoon + second * kMachineSecond;
  telemetry::GpuReading gpu;
  gpu.gpu = "0";
  gpu.up = true;
  gpu.energy_joules_total = joules;
  gpu.power_watts = power;
  sample.gpus = {gpu};
  return sample;
}

TEST(Totals, EnergyIsOfTheCounterAlsoWhereItBeginsAnew) {
  monitor::Totals totals;
  totals.add(with_gpu(0, 5000, 999));
  totals.add(with_gpu(10, 6000, 999));
  totals.add(with_gpu(20, 50, 999));
  totals.add(with_gpu(30, 150, 999));
  EXPECT_THAT(totals.summary("", {}).gpus.at(0).energy_joules, Optional(DoubleEq(1100)));
}

TEST(Totals, WithoutACounterEnergyIsPowerByTime) {
  monitor::Totals totals;
  totals.add(with_gpu(0, {}, 100));
  totals.add(with_gpu(10, {}, 200));
  totals.add(with_gpu(5000, {}, 200));  // a pause, of which nothing is known
  EXPECT_THAT(totals.summary("", {}).gpus.at(0).energy_joules, Optional(DoubleEq(2000)));
  monitor::Totals silent;
  silent.add(with_gpu(0, {}, {}));
  EXPECT_EQ(silent.summary("", {}).gpus.at(0).energy_joules, std::nullopt);
}

TEST(Totals, ThrottledTimeIsSinceTheFirstSample) {
  monitor::Totals totals;
  for (const int second : {0, 10, 20}) {
    telemetry::Sample sample = with_gpu(second, {}, {});
    sample.gpus[0].throttle_ns_total = {{"power_cap", (50 + second) * kMachineSecond},
                                        {"thermal", 7}};
    if (second == 20) sample.gpus[0].throttle_ns_total["sync_boost"] = 3 * kMachineSecond;
    totals.add(sample);
  }
  const auto throttled = totals.summary("", {}).gpus.at(0).throttled_seconds;
  EXPECT_EQ(throttled.size(), 2U);
  EXPECT_THAT(throttled.at("power_cap"), DoubleNear(20, 1e-9));
  EXPECT_THAT(throttled.at("sync_boost"), DoubleNear(3, 1e-9));
}

// As nvidia-smi does once one of them is gone.
TEST(Totals, AGpuIsKnownByItsUuidWhereNumbersShift) {
  monitor::Totals totals;
  const auto gpu = [](const char* number, const char* uuid, double busy) {
    telemetry::GpuReading reading;
    reading.gpu = number;
    reading.uuid = uuid;
    reading.up = true;
    reading.busy_ratio = busy;
    return reading;
  };
  telemetry::Sample sample;
  sample.time_ns = kNoon;
  sample.gpus = {gpu("0", "GPU-a", 0.9), gpu("1", "GPU-b", 0.1)};
  totals.add(sample);
  sample.time_ns += kMachineSecond;
  sample.gpus = {gpu("0", "GPU-b", 0.1)};
  totals.add(sample);
  sample.time_ns += kMachineSecond;
  sample.gpus = {gpu("0", "", 0)};
  sample.gpus[0].up = false;  // the one that has this number now, though it does not say so
  totals.add(sample);
  const monitor::MonitorSummary summary = totals.summary("", {});
  ASSERT_EQ(summary.gpus.size(), 2U);
  EXPECT_EQ(summary.gpus[0].metrics.at(0).values.most(), 0.9);
  EXPECT_EQ(summary.gpus[0].metrics.at(0).values.mean(), 0.9);
  EXPECT_EQ(summary.gpus[0].down_seconds, 0);
  EXPECT_EQ(summary.gpus[1].gpu, "1");
  EXPECT_EQ(summary.gpus[1].metrics.at(0).values.most(), 0.1);
  EXPECT_EQ(summary.gpus[1].down_seconds, 1);
  EXPECT_THAT(summary_text(summary, true), ::testing::HasSubstr("now GPU 0"));
  const auto json = nlohmann::json::parse(summary_json(summary));
  EXPECT_FALSE(json["gpus"][0].contains("last_gpu"));
  EXPECT_EQ(json["gpus"][1]["last_gpu"], "0");
}

TEST(Summary, RatesAreWrittenOut) {
  monitor::Totals totals;
  telemetry::TrainingStep step;
  step.seconds = 0.001;
  step.batch_size = 511;
  totals.add(step);
  step.batch_size = 512;
  totals.add(step);
  EXPECT_THAT(summary_text(totals.summary("", {}), true),
              ::testing::HasSubstr("511,500 samples/s"));
}

TEST(Summary, ASliceIsCalledAsFindingsDo) {
  monitor::Totals totals;
  telemetry::Sample sample = with_gpu(0, {}, 100);
  sample.gpus[0].gpu = "0:1";
  totals.add(sample);
  EXPECT_THAT(summary_text(totals.summary("", {}), true), ::testing::HasSubstr("slice 1 of GPU 0"));
}

TEST(Summary, SaysWhyNoGpuCouldBeAsked) {
  monitor::Totals totals;
  telemetry::Sample sample;
  sample.time_ns = kNoon;
  sample.gpu_absent = "Driver Not Loaded";
  totals.add(sample);
  EXPECT_THAT(summary_text(totals.summary("", {}), true),
              ::testing::HasSubstr("No GPU could be queried: Driver Not Loaded\n"));
  EXPECT_EQ(nlohmann::json::parse(summary_json(totals.summary("", {})))["gpu_absent"],
            "Driver Not Loaded");
}

TEST(ReadingJson, IsTheSampleWithWhatIs) {
  auto sample = testing::made_up_sample(2, 119);
  sample.processes[0].name = "\xff<\x1b";
  const auto json =
      nlohmann::json::parse(reading_json("node\xfe", sample, {testing::three_findings()[0]}));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["time"], "2026-10-01T12:01:59Z");
  EXPECT_FALSE(json["reading"].contains("type"));
  EXPECT_EQ(json["reading"]["gpus"].size(), 2U);
  EXPECT_EQ(json["reading"]["host"]["cpus"], 64);
  EXPECT_EQ(json["findings"][0]["seconds"], 79);
  EXPECT_EQ(json["findings"][0]["since"], "2026-10-01T12:00:40Z");
  EXPECT_EQ(json["findings"][0]["finding"]["where"]["gpu"], 2);
  EXPECT_FALSE(json["findings"][0].contains("ended"));
}

}  // namespace
}  // namespace batchscope::monitor_report
