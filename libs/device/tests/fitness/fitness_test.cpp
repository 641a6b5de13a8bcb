#include "batchscope/device/fitness.hpp"

#include <gmock/gmock.h>

#include <chrono>

namespace batchscope::device {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kMs = 1'000'000;

// Two CPUs over ten seconds, of which the process itself used twelve CPU seconds.
constexpr auto kElapsed = std::chrono::seconds(10);

FitnessSnapshot start() {
  FitnessSnapshot snapshot;
  snapshot.watched_cpus = 2;
  snapshot.total_ns = 0;
  snapshot.busy_ns = 0;
  snapshot.steal_ns = 0;
  snapshot.throttling = Throttling{};
  return snapshot;
}

FitnessSnapshot quiet_end() {
  FitnessSnapshot snapshot = start();
  snapshot.total_ns = 20'000 * kMs;
  snapshot.busy_ns = 12'050 * kMs;
  snapshot.own_ns = 12'000 * kMs;
  return snapshot;
}

std::vector<std::string> ids(const FitnessReport& report) {
  std::vector<std::string> list;
  for (const FitnessWarning& warning : report.warnings) {
    EXPECT_FALSE(warning.message.empty());
    EXPECT_FALSE(warning.fix.empty());
    list.push_back(warning.id);
  }
  return list;
}

TEST(Fitness, AQuietMachineWarnsOfNothing) {
  const FitnessReport report = assess_fitness(start(), quiet_end(), kElapsed);
  EXPECT_THAT(ids(report), IsEmpty());
  EXPECT_DOUBLE_EQ(*report.fitness.steal_ratio, 0);
  EXPECT_NEAR(*report.fitness.others_load, 0.005, 1e-12);
  EXPECT_EQ(report.fitness.throttled_ns, 0);
}

TEST(Fitness, Steal) {
  FitnessSnapshot end = quiet_end();
  end.steal_ns = 640 * kMs;
  const FitnessReport report = assess_fitness(start(), end, kElapsed);
  EXPECT_DOUBLE_EQ(*report.fitness.steal_ratio, 0.032);
  ASSERT_THAT(ids(report), ElementsAre("steal"));
  EXPECT_THAT(report.warnings[0].message, HasSubstr("3.2 %"));
}

TEST(Fitness, StealAtTheLimitDoesNotWarn) {
  FitnessSnapshot end = quiet_end();
  end.steal_ns = 200 * kMs;
  EXPECT_THAT(ids(assess_fitness(start(), end, kElapsed)), IsEmpty());
}

TEST(Fitness, ACounterThatFallsIsNoNegativeSteal) {
  FitnessSnapshot begin = start();
  begin.steal_ns = 50 * kMs;
  EXPECT_DOUBLE_EQ(*assess_fitness(begin, quiet_end(), kElapsed).fitness.steal_ratio, 0);
}

TEST(Fitness, LoadFromOthersIsBusyWithoutOwn) {
  FitnessSnapshot end = quiet_end();
  end.busy_ns = 17'000 * kMs;
  const FitnessReport report = assess_fitness(start(), end, kElapsed);
  EXPECT_DOUBLE_EQ(*report.fitness.others_load, 0.5);
  ASSERT_THAT(ids(report), ElementsAre("others-load"));
  EXPECT_THAT(report.warnings[0].message, HasSubstr("0.50 CPUs"));
}

TEST(Fitness, WhatTicksCannotResolveDoesNotWarn) {
  // Two CPUs with ticks of 10 ms resolve 14.1 ms, here 0.141 CPUs: more than the limit of 0.10.
  FitnessSnapshot end = start();
  end.total_ns = 200 * kMs;
  end.own_ns = 100 * kMs;
  end.busy_ns = 114 * kMs;
  EXPECT_THAT(ids(assess_fitness(start(), end, std::chrono::milliseconds(100))), IsEmpty());
  end.busy_ns = 120 * kMs;
  EXPECT_THAT(ids(assess_fitness(start(), end, std::chrono::milliseconds(100))),
              ElementsAre("others-load"));
}

TEST(Fitness, OwnWorkElsewhereIsNoNegativeLoad) {
  FitnessSnapshot end = quiet_end();
  end.busy_ns = 1'000 * kMs;
  EXPECT_DOUBLE_EQ(*assess_fitness(start(), end, kElapsed).fitness.others_load, 0);
}

TEST(Fitness, AnyThrottlingWarns) {
  FitnessSnapshot end = quiet_end();
  end.throttling = Throttling{100, 3, 45 * kMs};
  const FitnessReport report = assess_fitness(start(), end, kElapsed);
  EXPECT_EQ(report.fitness.throttled_ns, 45 * kMs);
  ASSERT_THAT(ids(report), ElementsAre("throttled"));
  EXPECT_THAT(report.warnings[0].message, HasSubstr("3 periods"));
}

TEST(Fitness, EarlierThrottlingDoesNotCount) {
  FitnessSnapshot begin = start();
  FitnessSnapshot end = quiet_end();
  begin.throttling = end.throttling = Throttling{100, 3, 45 * kMs};
  EXPECT_THAT(ids(assess_fitness(begin, end, kElapsed)), IsEmpty());
}

TEST(Fitness, Governor) {
  FitnessSnapshot end = quiet_end();
  end.governor = "powersave";
  EXPECT_THAT(ids(assess_fitness(start(), end, kElapsed)), ElementsAre("governor"));
  end.governor = "performance";
  EXPECT_THAT(ids(assess_fitness(start(), end, kElapsed)), IsEmpty());
}

TEST(Fitness, AbsentStaysAbsent) {
  const FitnessReport report = assess_fitness({}, {}, kElapsed);
  EXPECT_EQ(report.fitness.steal_ratio, std::nullopt);
  EXPECT_EQ(report.fitness.others_load, std::nullopt);
  EXPECT_EQ(report.fitness.throttled_ns, std::nullopt);
  EXPECT_EQ(report.fitness.clock_ratio, std::nullopt);
  EXPECT_EQ(report.fitness.other_gpu_processes, std::nullopt);
  EXPECT_THAT(report.warnings, IsEmpty());
}

TEST(Fitness, NoTimePassedSaysNothingAboutRates) {
  const FitnessReport report = assess_fitness(start(), start(), std::chrono::seconds(0));
  EXPECT_EQ(report.fitness.steal_ratio, std::nullopt);
  EXPECT_EQ(report.fitness.others_load, std::nullopt);
}

TEST(GpuFitness, ASlowClockIsNamedWithItsReason) {
  FitnessReport report;
  GpuInfo gpu;
  gpu.default_sm_clock_mhz = 1000;
  gpu.max_sm_clock_mhz = 2000;
  GpuSample sample;
  sample.sm_clock_mhz = 700;
  sample.throttle_reasons = std::vector{ThrottleReason::power_cap};
  add_gpu_fitness(report, gpu, sample, 1);
  EXPECT_DOUBLE_EQ(*report.fitness.clock_ratio, 0.7);
  ASSERT_THAT(ids(report), ElementsAre("gpu-clock"));
  EXPECT_THAT(report.warnings[0].message, HasSubstr("power cap"));
}

TEST(GpuFitness, WithoutADefaultTheMaximumCounts) {
  FitnessReport report;
  GpuInfo gpu;
  gpu.max_sm_clock_mhz = 2000;
  GpuSample sample;
  sample.sm_clock_mhz = 1500;
  add_gpu_fitness(report, gpu, sample, 1);
  EXPECT_DOUBLE_EQ(*report.fitness.clock_ratio, 0.75);
  EXPECT_THAT(report.warnings, IsEmpty());
}

TEST(GpuFitness, OthersOnTheGpu) {
  FitnessReport report;
  GpuSample sample;
  sample.compute_processes = 3;
  add_gpu_fitness(report, {}, sample, 1);
  EXPECT_EQ(report.fitness.other_gpu_processes, 2);
  EXPECT_EQ(report.fitness.clock_ratio, std::nullopt);
  EXPECT_THAT(ids(report), ElementsAre("gpu-shared"));
}

}  // namespace
}  // namespace batchscope::device
