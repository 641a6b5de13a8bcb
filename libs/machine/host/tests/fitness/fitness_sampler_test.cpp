#include <gmock/gmock.h>

#include "batchscope/host/cpu_time.hpp"
#include "batchscope/host/fitness.hpp"
#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

TEST(FitnessSampler, ReadsEverythingOfAPhysicalMachine) {
  const FixtureRoot fixture("xeon_2s");
  const FitnessSnapshot snapshot = FitnessSampler(fixture.root()).take();
  EXPECT_EQ(snapshot.watched_cpus, 16);
  EXPECT_EQ(snapshot.total_ns, 16 * 101500 * tick_ns());
  EXPECT_EQ(snapshot.busy_ns, 16 * 1500 * tick_ns());
  EXPECT_EQ(snapshot.steal_ns, 0);
  EXPECT_GT(snapshot.own_ns, 0);
  EXPECT_EQ(snapshot.load_average, 0.08);
  EXPECT_EQ(snapshot.running, 1);
  EXPECT_EQ(snapshot.governor, "powersave");
  EXPECT_EQ(snapshot.clock_khz, 3'600'000);
  EXPECT_EQ(snapshot.max_clock_khz, 4'000'000);
  EXPECT_EQ(snapshot.huge_pages, "always");
  EXPECT_EQ(snapshot.smt_active, true);
}

TEST(FitnessSampler, WatchesTheCpusItIsGiven) {
  FixtureRoot fixture("arm_vm");
  const FitnessSnapshot snapshot = FitnessSampler(fixture.root(), {0, 2}).take();
  EXPECT_EQ(snapshot.watched_cpus, 2);
  EXPECT_EQ(snapshot.steal_ns, 30 * tick_ns());
  EXPECT_EQ(snapshot.busy_ns, 100 * tick_ns());
}

TEST(FitnessSampler, TheGovernorIsThatOfTheFirstWatchedCpu) {
  FixtureRoot fixture("xeon_2s");
  fixture.write("/sys/devices/system/cpu/cpu5/cpufreq/scaling_governor", "performance\n");
  EXPECT_EQ(FitnessSampler(fixture.root(), {5, 6}).take().governor, "performance");
}

TEST(FitnessSampler, CountsThrottlingThatHappensMeanwhile) {
  FixtureRoot fixture("cgroup_v1_quota");
  const FitnessSampler sampler(fixture.root());
  const FitnessSnapshot before = sampler.take();
  fixture.write("/sys/fs/cgroup/cpu,cpuacct/cpu.stat",
                "nr_periods 1300\nnr_throttled 31\nthrottled_time 1500000700\n");
  const schema::Fitness fitness = assess_fitness(before, sampler.take(), std::chrono::seconds(1));
  EXPECT_EQ(fitness.throttled_ns, 700);
}

TEST(FitnessSampler, AnEmptyRootIsAbsentEverywhere) {
  const FixtureRoot empty;
  const FitnessSnapshot snapshot = FitnessSampler(empty.root()).take();
  EXPECT_EQ(snapshot.total_ns, std::nullopt);
  EXPECT_EQ(snapshot.throttling, std::nullopt);
  EXPECT_EQ(snapshot.load_average, std::nullopt);
  EXPECT_EQ(snapshot.running, std::nullopt);
  EXPECT_EQ(snapshot.governor, "");
  EXPECT_EQ(snapshot.huge_pages, "");
  EXPECT_EQ(snapshot.smt_active, std::nullopt);
}

TEST(FitnessSampler, CountersOfThisMachineNeverFall) {
  const FitnessSampler sampler{base::SystemRoot()};
  const FitnessSnapshot before = sampler.take();
  const FitnessSnapshot after = sampler.take();
  ASSERT_TRUE(before.busy_ns && after.busy_ns);
  EXPECT_GE(*after.busy_ns, *before.busy_ns);
  EXPECT_GE(after.own_ns, before.own_ns);
}

TEST(CpuTime, GuestTimeIsNotCountedTwiceAndOldKernelsAreRead) {
  const auto time = parse_cpu_time("cpu 9 9\ncpu0 10 1 5 100 20 2 3 4 7 1\nintr 5\n", {});
  ASSERT_TRUE(time);
  EXPECT_EQ(time->busy_ns, 21 * tick_ns());
  EXPECT_EQ(time->total_ns, 145 * tick_ns());
  EXPECT_EQ(time->steal_ns, 4 * tick_ns());
  EXPECT_EQ(parse_cpu_time("cpu0 10 1 5 100\n", {})->total_ns, 116 * tick_ns());
}

TEST(CpuTime, EveryWatchedCpuIsReadByItself) {
  const auto cores = parse_core_times(
      "cpu 9 9\ncpu0 10 1 5 100 20 2 3 4 7 1\ncpu2 1 1 1 1\ncpu11 2 0 1 6 4 0 0 7\nintr 5\n",
      {0, 1, 11});
  ASSERT_EQ(cores.size(), 2U);
  EXPECT_EQ(cores[0].core, 0);
  EXPECT_EQ(cores[0].time.system_ns, 10 * tick_ns());
  EXPECT_EQ(cores[1].core, 11);
  EXPECT_EQ(cores[1].time.busy_ns, 3 * tick_ns());
  EXPECT_EQ(cores[1].time.iowait_ns, 4 * tick_ns());
  EXPECT_EQ(cores[1].time.steal_ns, 7 * tick_ns());
  EXPECT_EQ(cores[1].time.total_ns, 20 * tick_ns());
}

TEST(CpuTime, NoneOfTheWatchedCpusIsAbsent) {
  EXPECT_FALSE(parse_cpu_time("cpu 1 1 1 1\ncpu0 1 1 1 1\n", {7}));
  EXPECT_FALSE(parse_cpu_time("", {}));
}

}  // namespace
}  // namespace batchscope::host
