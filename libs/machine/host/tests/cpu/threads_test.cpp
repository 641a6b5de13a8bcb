#include "batchscope/host/threads.hpp"

#include <gmock/gmock.h>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Topology xeon() {
  return read_topology(FixtureRoot("xeon_2s").root());
}

TEST(Threads, OnePhysicalCoreEach) {
  const ThreadChoice choice = default_threads(xeon(), {}, {}, {});
  EXPECT_EQ(choice.threads, 8);
  EXPECT_EQ(choice.reason, "8 threads: 8 physical cores");
  EXPECT_THAT(choice.cpus, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Threads, AffinityCountsCoresNotSiblings) {
  const ThreadChoice choice = default_threads(xeon(), {2, 3, 10, 11}, {}, {});
  EXPECT_EQ(choice.threads, 2);
  EXPECT_THAT(choice.cpus, ElementsAre(2, 3));
  EXPECT_THAT(choice.reason, HasSubstr("affinity mask allows 2 of 8 physical cores"));
}

TEST(Threads, TheOtherSiblingIsForItsCore) {
  EXPECT_THAT(default_threads(xeon(), {9, 12}, {}, {}).cpus, ElementsAre(9, 12));
}

TEST(Threads, FewThreadsStayOnOneNode) {
  // CPUs 6 and 7 are on node 1, their numbers before 8 and 9, whose cores are on node 0.
  const ThreadChoice choice = default_threads(xeon(), {6, 7, 8, 9}, CpuQuota{2, "/g"}, {});
  EXPECT_THAT(choice.cpus, ElementsAre(8, 9));
}

TEST(Threads, AQuotaIsRoundedDown) {
  const ThreadChoice choice = default_threads(xeon(), {}, CpuQuota{2.5, "/sys/fs/cgroup/x"}, {});
  EXPECT_EQ(choice.threads, 2);
  EXPECT_EQ(choice.reason,
            "2 threads: cgroup quota of 2.50 CPUs (/sys/fs/cgroup/x); 8 physical cores");
  EXPECT_THAT(choice.cpus, ElementsAre(0, 1));
}

TEST(Threads, AQuotaBelowOneStillLeavesOne) {
  EXPECT_EQ(default_threads(xeon(), {}, CpuQuota{0.5, "/g"}, {}).threads, 1);
}

TEST(Threads, AWideQuotaChangesNothing) {
  EXPECT_EQ(default_threads(xeon(), {}, CpuQuota{1e12, "/g"}, {}).threads, 8);
}

TEST(Threads, SlurmTask) {
  FixtureRoot fixture("xeon_2s");
  fixture.load("slurm_job");
  const Cgroups cgroups = find_cgroups(fixture.root());
  const auto quota = read_cpu_quota(fixture.root(), cgroups);
  EXPECT_EQ(quota, std::nullopt);
  EXPECT_EQ(read_memory_limit(fixture.root(), cgroups)->bytes, int64_t{32} << 30);
  const ProcessEnvironment job{{"SLURM_JOB_ID", "7"}, {"SLURM_CPUS_PER_TASK", "3"}};
  const ThreadChoice choice = default_threads(xeon(), {}, quota, job);
  EXPECT_EQ(choice.threads, 3);
  EXPECT_THAT(choice.reason, HasSubstr("Slurm allocation (SLURM_CPUS_PER_TASK=3)"));
}

TEST(Threads, SlurmSharesANodeAmongTasks) {
  const ProcessEnvironment job{{"SLURM_CPUS_ON_NODE", "8"}, {"SLURM_TASKS_PER_NODE", "2(x3),1"}};
  EXPECT_EQ(default_threads(xeon(), {}, {}, job).threads, 4);
}

TEST(Threads, SlurmCountingHardwareThreads) {
  const ProcessEnvironment job{{"SLURM_CPUS_PER_TASK", "8"}, {"SLURM_THREADS_PER_CORE", "2"}};
  EXPECT_EQ(default_threads(xeon(), {}, {}, job).threads, 4);
}

TEST(Threads, SlurmVariablesThatAreNoNumbersAreIgnored) {
  for (const char* value : {"", "x", "0", "-3", "9999999999999"}) {
    EXPECT_EQ(default_threads(xeon(), {}, {}, {{"SLURM_CPUS_PER_TASK", value}}).threads, 8);
  }
}

TEST(Threads, AnUnknownMachineGetsOne) {
  const ThreadChoice choice = default_threads(Topology{}, {}, {}, {});
  EXPECT_EQ(choice.threads, 1);
  EXPECT_TRUE(choice.cpus.empty());
}

TEST(Threads, ThisProcess) {
  EXPECT_GE(default_threads(base::SystemRoot()).threads, 1);
  EXPECT_FALSE(current_environment().empty());
}

}  // namespace
}  // namespace batchscope::host
