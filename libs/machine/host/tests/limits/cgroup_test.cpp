#include "batchscope/host/cgroup.hpp"

#include <gmock/gmock.h>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Cgroup, ContainerOnV1FindsItsGroupAtTheMount) {
  const FixtureRoot fixture("cgroup_v1_quota");
  const Cgroups cgroups = find_cgroups(fixture.root());
  EXPECT_EQ(cgroups.cpu.version, CgroupVersion::v1);
  EXPECT_EQ(cgroups.cpu.group, "/sys/fs/cgroup/cpu,cpuacct");
  EXPECT_EQ(cgroups.memory.group, "/sys/fs/cgroup/memory");
  EXPECT_FALSE(cgroups.hybrid);
  EXPECT_EQ(describe(cgroups), "cgroup v1");
}

TEST(Cgroup, QuotaMemoryAndThrottlingOnV1) {
  const FixtureRoot fixture("cgroup_v1_quota");
  const Cgroups cgroups = find_cgroups(fixture.root());
  const auto quota = read_cpu_quota(fixture.root(), cgroups);
  ASSERT_TRUE(quota);
  EXPECT_DOUBLE_EQ(quota->cpus, 2.5);
  const auto memory = read_memory_limit(fixture.root(), cgroups);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->bytes, int64_t{4} << 30);
  const auto throttling =
      read_throttling(fixture.root(), throttling_files(fixture.root(), cgroups));
  ASSERT_TRUE(throttling);
  EXPECT_EQ(throttling->periods, 1200);
  EXPECT_EQ(throttling->throttled_periods, 30);
  EXPECT_EQ(throttling->throttled_ns, 1'500'000'000);
}

TEST(Cgroup, TheTightestParentBindsOnV2) {
  const FixtureRoot fixture("cgroup_v2_quota");
  const Cgroups cgroups = find_cgroups(fixture.root());
  EXPECT_EQ(cgroups.cpu.version, CgroupVersion::v2);
  EXPECT_THAT(cgroups.cpu.lineage(),
              ElementsAre("/sys/fs/cgroup/kubepods.slice/pod9.slice/app.scope",
                          "/sys/fs/cgroup/kubepods.slice/pod9.slice",
                          "/sys/fs/cgroup/kubepods.slice", "/sys/fs/cgroup"));
  const auto quota = read_cpu_quota(fixture.root(), cgroups);
  ASSERT_TRUE(quota);
  EXPECT_DOUBLE_EQ(quota->cpus, 3.0);
  EXPECT_EQ(quota->group, "/sys/fs/cgroup/kubepods.slice/pod9.slice");
  EXPECT_EQ(read_memory_limit(fixture.root(), cgroups)->bytes, int64_t{8} << 30);
}

TEST(Cgroup, ThrottlingOfAllLevelsIsAdded) {
  const FixtureRoot fixture("cgroup_v2_quota");
  const auto files = throttling_files(fixture.root(), find_cgroups(fixture.root()));
  EXPECT_EQ(files.size(), 4U);
  const auto throttling = read_throttling(fixture.root(), files);
  ASSERT_TRUE(throttling);
  EXPECT_EQ(throttling->throttled_periods, 42);
  EXPECT_EQ(throttling->throttled_ns, 251'000'000);
}

TEST(Cgroup, HybridUsesTheHierarchyThatHasTheController) {
  const FixtureRoot fixture("kvm_2cpu");
  const Cgroups cgroups = find_cgroups(fixture.root());
  EXPECT_TRUE(cgroups.hybrid);
  EXPECT_EQ(cgroups.memory.version, CgroupVersion::v1);
  EXPECT_EQ(cgroups.memory.group, "/sys/fs/cgroup/memory/jobs/17");
  EXPECT_EQ(cgroups.cpu.group, "/sys/fs/cgroup/cpu");
}

TEST(Cgroup, UnlimitedIsNoLimit) {
  for (const char* name : {"kvm_2cpu", "xeon_2s"}) {
    const FixtureRoot fixture(name);
    const Cgroups cgroups = find_cgroups(fixture.root());
    EXPECT_EQ(read_cpu_quota(fixture.root(), cgroups), std::nullopt) << name;
    EXPECT_EQ(read_memory_limit(fixture.root(), cgroups), std::nullopt) << name;
  }
}

TEST(Cgroup, AGroupCountsNothingWithoutAQuotaOnV2) {
  const FixtureRoot fixture("xeon_2s");  // cpu.stat there has no nr_throttled
  const auto files = throttling_files(fixture.root(), find_cgroups(fixture.root()));
  EXPECT_EQ(read_throttling(fixture.root(), files), std::nullopt);
}

TEST(Cgroup, AGroupThatIsNotVisibleIsTheMount) {
  FixtureRoot fixture("cgroup_v2_quota");
  fixture.write("/proc/self/cgroup", "0::/../../elsewhere\n");
  EXPECT_EQ(find_cgroups(fixture.root()).cpu.group, "/sys/fs/cgroup");
  fixture.write("/sys/fs/elsewhere/cpu.max",
                "100000 100000\n");  // nor when the path leads somewhere
  fixture.write("/proc/self/cgroup", "0::/../elsewhere\n");
  EXPECT_EQ(find_cgroups(fixture.root()).cpu.group, "/sys/fs/cgroup");
  fixture.write("/proc/self/cgroup", "0::/not/there\n");
  EXPECT_EQ(find_cgroups(fixture.root()).cpu.group, "/sys/fs/cgroup");
}

TEST(Cgroup, NoneIsNone) {
  const FixtureRoot empty;
  const Cgroups cgroups = find_cgroups(empty.root());
  EXPECT_EQ(describe(cgroups), "none");
  EXPECT_THAT(cgroups.cpu.lineage(), IsEmpty());
  EXPECT_EQ(read_cpu_quota(empty.root(), cgroups), std::nullopt);
  EXPECT_EQ(read_throttling(empty.root(), {}), std::nullopt);
}

TEST(Cgroup, MemoryInUseLeavesOutPagesThatCanBeDropped) {
  FixtureRoot fixture;
  fixture.write("/g/memory.current", "1000\n");
  EXPECT_EQ(read_memory_use(fixture.root(), CgroupVersion::v2, "/g"), 1000);
  fixture.write("/g/memory.stat", "anon 5\ninactive_file 300\n");
  EXPECT_EQ(read_memory_use(fixture.root(), CgroupVersion::v2, "/g"), 700);
  fixture.write("/g/memory.stat", "inactive_file 3000\n");  // read a moment later
  EXPECT_EQ(read_memory_use(fixture.root(), CgroupVersion::v2, "/g"), 0);
  EXPECT_EQ(read_memory_use(fixture.root(), CgroupVersion::v1, "/g"), std::nullopt);
  fixture.write("/g/memory.usage_in_bytes", "900\n");
  fixture.write("/g/memory.stat", "inactive_file 1\ntotal_inactive_file 200\n");
  EXPECT_EQ(read_memory_use(fixture.root(), CgroupVersion::v1, "/g"), 700);
}

}  // namespace
}  // namespace batchscope::host
