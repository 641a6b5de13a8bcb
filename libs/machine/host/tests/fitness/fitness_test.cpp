#include "batchscope/host/fitness.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace batchscope::host {
namespace {

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

TEST(Fitness, AQuietMachine) {
  const schema::Fitness fitness = assess_fitness(start(), quiet_end(), kElapsed);
  EXPECT_DOUBLE_EQ(*fitness.steal_ratio, 0);
  EXPECT_NEAR(*fitness.others_load, 0.005, 1e-12);
  EXPECT_EQ(fitness.throttled_ns, 0);
}

TEST(Fitness, Steal) {
  FitnessSnapshot end = quiet_end();
  end.steal_ns = 640 * kMs;
  EXPECT_DOUBLE_EQ(*assess_fitness(start(), end, kElapsed).steal_ratio, 0.032);
}

TEST(Fitness, ACounterThatFallsIsNoNegativeSteal) {
  FitnessSnapshot begin = start();
  begin.steal_ns = 50 * kMs;
  EXPECT_DOUBLE_EQ(*assess_fitness(begin, quiet_end(), kElapsed).steal_ratio, 0);
}

TEST(Fitness, LoadFromOthersIsBusyWithoutOwn) {
  FitnessSnapshot end = quiet_end();
  end.busy_ns = 17'000 * kMs;
  EXPECT_DOUBLE_EQ(*assess_fitness(start(), end, kElapsed).others_load, 0.5);
}

TEST(Fitness, OwnWorkElsewhereIsNoNegativeLoad) {
  FitnessSnapshot end = quiet_end();
  end.busy_ns = 1'000 * kMs;
  EXPECT_DOUBLE_EQ(*assess_fitness(start(), end, kElapsed).others_load, 0);
}

TEST(Fitness, Throttling) {
  FitnessSnapshot end = quiet_end();
  end.throttling = Throttling{100, 3, 45 * kMs};
  EXPECT_EQ(assess_fitness(start(), end, kElapsed).throttled_ns, 45 * kMs);
}

TEST(Fitness, EarlierThrottlingDoesNotCount) {
  FitnessSnapshot begin = start();
  FitnessSnapshot end = quiet_end();
  begin.throttling = end.throttling = Throttling{100, 3, 45 * kMs};
  EXPECT_EQ(assess_fitness(begin, end, kElapsed).throttled_ns, 0);
}

TEST(Fitness, AbsentStaysAbsent) {
  const schema::Fitness fitness = assess_fitness({}, {}, kElapsed);
  EXPECT_EQ(fitness.steal_ratio, std::nullopt);
  EXPECT_EQ(fitness.others_load, std::nullopt);
  EXPECT_EQ(fitness.throttled_ns, std::nullopt);
  EXPECT_EQ(fitness.clock_ratio, std::nullopt);
  EXPECT_EQ(fitness.other_gpu_processes, std::nullopt);
}

TEST(Fitness, NoTimePassedSaysNothingAboutRates) {
  const schema::Fitness fitness = assess_fitness(start(), start(), std::chrono::seconds(0));
  EXPECT_EQ(fitness.steal_ratio, std::nullopt);
  EXPECT_EQ(fitness.others_load, std::nullopt);
}

TEST(GpuFitness, TheClockIsComparedWithTheUsualOne) {
  schema::Fitness fitness;
  gpu::Gpu gpu;
  gpu.usual_sm_clock_hertz = 1000;
  gpu.sm_clock_hertz = 700;
  add_gpu_fitness(fitness, gpu, 1);
  EXPECT_DOUBLE_EQ(*fitness.clock_ratio, 0.7);
}

TEST(GpuFitness, OthersOnTheGpu) {
  schema::Fitness fitness;
  gpu::Gpu gpu;
  gpu.compute_processes = 3;
  add_gpu_fitness(fitness, gpu, 1);
  EXPECT_EQ(fitness.other_gpu_processes, 2);
  EXPECT_EQ(fitness.clock_ratio, std::nullopt);
}

}  // namespace
}  // namespace batchscope::host
