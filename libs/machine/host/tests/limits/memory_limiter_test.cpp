#include "batchscope/host/memory_limiter.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include "fake_cgroup_files.hpp"
#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kLimit = int64_t{256} << 20;
const std::filesystem::path kMount = "/sys/fs/cgroup";
const std::filesystem::path kSlice = kMount / "user.slice";
const std::filesystem::path kOwn = kSlice / "app.scope";

Cgroups memory_group(CgroupVersion version, const std::filesystem::path& group) {
  Cgroups cgroups;
  cgroups.memory = {version, kMount, group};
  return cgroups;
}

std::shared_ptr<FakeCgroupFiles> fake(CgroupVersion version) {
  auto files = std::make_shared<FakeCgroupFiles>(version);
  for (const auto& group : {kMount, kSlice, kOwn}) files->add_group(group);
  return files;
}

TEST(MemoryLimiter, V1MakesAGroupBelowTheOwn) {
  const auto files = fake(CgroupVersion::v1);
  const auto limiter = MemoryLimiter::create(files, memory_group(CgroupVersion::v1, kOwn), kLimit);
  EXPECT_EQ(limiter.kind(), MemoryLimitKind::cgroup_v1);
  EXPECT_EQ(limiter.limit_bytes(), kLimit);
  EXPECT_EQ(limiter.rlimit_data_bytes(), std::nullopt);
  const auto group = files->child_of(kOwn);
  EXPECT_EQ(limiter.procs_file(), group / "cgroup.procs");
  EXPECT_EQ(files->read(group / "memory.limit_in_bytes"), std::to_string(kLimit));
  EXPECT_EQ(files->read(group / "memory.swappiness"), "0");  // no memsw on this kernel
  EXPECT_THAT(limiter.explanation(), HasSubstr("cgroup v1 limit of 256 MiB"));
}

TEST(MemoryLimiter, TheGroupGoesWithTheObject) {
  const auto files = fake(CgroupVersion::v1);
  {
    auto first = MemoryLimiter::create(files, memory_group(CgroupVersion::v1, kOwn), kLimit);
    const auto second = std::move(first);
    EXPECT_EQ(files->groups().size(), 4U);
  }
  EXPECT_EQ(files->groups().size(), 3U);
}

// A process that was killed leaves its group a moment after it was waited for.
TEST(MemoryLimiter, TheGroupGoesThoughItsProcessIsStillLeaving) {
  const auto files = fake(CgroupVersion::v1);
  {
    const auto limiter =
        MemoryLimiter::create(files, memory_group(CgroupVersion::v1, kOwn), kLimit);
    files->keep_leaving(3);
  }
  EXPECT_EQ(files->groups().size(), 3U);
}

TEST(MemoryLimiter, SeveralWorkersHaveAGroupEach) {
  const auto files = fake(CgroupVersion::v1);
  const auto first = MemoryLimiter::create(files, memory_group(CgroupVersion::v1, kOwn), kLimit);
  const auto second = MemoryLimiter::create(files, memory_group(CgroupVersion::v1, kOwn), kLimit);
  EXPECT_NE(first.procs_file(), second.procs_file());
  EXPECT_EQ(files->groups().size(), 5U);
}

TEST(MemoryLimiter, V2HandsTheControllerDown) {
  const auto files = fake(CgroupVersion::v2);
  const auto limiter = MemoryLimiter::create(files, memory_group(CgroupVersion::v2, kOwn), kLimit);
  EXPECT_EQ(limiter.kind(), MemoryLimitKind::cgroup_v2);
  const auto group = files->child_of(kOwn);
  EXPECT_EQ(files->read(group / "memory.max"), std::to_string(kLimit));
  EXPECT_EQ(files->read(group / "memory.swap.max"), "0");
  EXPECT_EQ(files->read(group / "memory.oom.group"), "1");
}

TEST(MemoryLimiter, V2GoesBesideAGroupThatHoldsProcesses) {
  const auto files = fake(CgroupVersion::v2);
  files->add_processes(kOwn);
  files->set(kSlice / "cgroup.subtree_control", "cpu memory pids");
  const auto limiter = MemoryLimiter::create(files, memory_group(CgroupVersion::v2, kOwn), kLimit);
  EXPECT_EQ(limiter.kind(), MemoryLimitKind::cgroup_v2);
  EXPECT_FALSE(files->child_of(kSlice).empty());
}

TEST(MemoryLimiter, V2LeavesTheParentAsItIs) {
  const auto files = fake(CgroupVersion::v2);
  files->add_processes(kOwn);
  const auto limiter = MemoryLimiter::create(files, memory_group(CgroupVersion::v2, kOwn), kLimit);
  EXPECT_EQ(limiter.kind(), MemoryLimitKind::rlimit_data);
  EXPECT_EQ(files->read(kSlice / "cgroup.subtree_control"), "");
}

TEST(MemoryLimiter, V2NeverLeavesAGroupThatLimits) {
  for (const char* file : {"memory.max", "memory.high", "cpu.max", "pids.max", "cpuset.cpus"}) {
    const auto files = fake(CgroupVersion::v2);
    files->add_processes(kOwn);
    files->set(kSlice / "cgroup.subtree_control", "memory");
    files->set(kOwn / file, "100000 100000");
    const auto limiter =
        MemoryLimiter::create(files, memory_group(CgroupVersion::v2, kOwn), kLimit);
    EXPECT_EQ(limiter.kind(), MemoryLimitKind::rlimit_data) << file;
    EXPECT_TRUE(files->child_of(kSlice).empty()) << file;
  }
}

TEST(MemoryLimiter, WithoutPermissionItIsRlimitAndSaysWhy) {
  const auto files = fake(CgroupVersion::v1);
  files->forbid_making(kOwn);
  const auto limiter = MemoryLimiter::create(files, memory_group(CgroupVersion::v1, kOwn), kLimit);
  EXPECT_EQ(limiter.kind(), MemoryLimitKind::rlimit_data);
  EXPECT_EQ(limiter.rlimit_data_bytes(), kLimit);
  EXPECT_EQ(limiter.procs_file(), std::nullopt);
  EXPECT_THAT(limiter.explanation(), HasSubstr("Permission denied"));
  EXPECT_FALSE(limiter.outcome().oom_killed);
  EXPECT_EQ(limiter.outcome().peak_bytes, std::nullopt);
}

TEST(MemoryLimiter, AGroupThatCannotBeLimitedIsNotLeftBehind) {
  const auto files = std::make_shared<FakeCgroupFiles>(CgroupVersion::v2);
  files->add_group(kMount);
  files->add_group(kOwn);
  files->add_processes(kSlice);
  files->set(kOwn / "cgroup.subtree_control", "memory");
  files->forbid_making(kOwn);
  const auto limiter = MemoryLimiter::create(files, memory_group(CgroupVersion::v2, kOwn), kLimit);
  EXPECT_EQ(limiter.kind(), MemoryLimitKind::rlimit_data);
  EXPECT_EQ(files->groups().size(), 2U);
}

TEST(MemoryLimiter, LeftoversOfDeadRunsAreRemoved) {
  const auto files = fake(CgroupVersion::v1);
  const auto dead = kOwn / "batchscope-2147483646-0";  // beyond the largest process number
  const auto living = kOwn / ("batchscope-" + std::to_string(getppid()) + "-7");
  for (const auto& group : {dead, living, kOwn / "batchscope-notes"}) files->add_group(group);
  const auto limiter = MemoryLimiter::create(files, memory_group(CgroupVersion::v1, kOwn), kLimit);
  EXPECT_FALSE(files->groups().contains(dead));
  EXPECT_TRUE(files->groups().contains(living));
  EXPECT_TRUE(files->groups().contains(kOwn / "batchscope-notes"));
}

TEST(MemoryLimiter, ReadsTheOomKillAndThePeakOfV1) {
  const auto files = fake(CgroupVersion::v1);
  const auto limiter = MemoryLimiter::create(files, memory_group(CgroupVersion::v1, kOwn), kLimit);
  const auto group = files->child_of(kOwn);
  files->set(group / "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0");
  files->set(group / "memory.failcnt", "12");  // reclaim helped: no kill
  EXPECT_FALSE(limiter.outcome().oom_killed);
  files->set(group / "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1");
  files->set(group / "memory.max_usage_in_bytes", "1234");
  EXPECT_TRUE(limiter.outcome().oom_killed);
  EXPECT_EQ(limiter.outcome().peak_bytes, 1234);
}

TEST(MemoryLimiter, ReadsTheOomKillAndThePeakOfV2) {
  const auto files = fake(CgroupVersion::v2);
  const auto limiter = MemoryLimiter::create(files, memory_group(CgroupVersion::v2, kOwn), kLimit);
  const auto group = files->child_of(kOwn);
  files->set(group / "memory.events", "low 0\nhigh 0\nmax 31\noom 1\noom_kill 0\noom_group_kill 0");
  EXPECT_FALSE(limiter.outcome().oom_killed);
  EXPECT_EQ(limiter.outcome().peak_bytes, std::nullopt);  // memory.peak is younger
  files->set(group / "memory.events", "max 31\noom 1\noom_kill 1\noom_group_kill 1");
  files->set(group / "memory.peak", "99");
  EXPECT_TRUE(limiter.outcome().oom_killed);
  EXPECT_EQ(limiter.outcome().peak_bytes, 99);
}

TEST(MemoryLimiter, NoCgroupsAtAll) {
  const FixtureRoot empty;
  const auto limiter = MemoryLimiter::create(empty.root(), kLimit);
  EXPECT_EQ(limiter.kind(), MemoryLimitKind::rlimit_data);
  EXPECT_EQ(to_string(limiter.kind()), "rlimit-data");
  EXPECT_THAT(limiter.explanation(), HasSubstr("no mounted cgroup memory controller"));
}

}  // namespace
}  // namespace batchscope::host
