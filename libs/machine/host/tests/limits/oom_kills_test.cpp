#include "batchscope/host/oom_kills.hpp"

#include <gtest/gtest.h>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

constexpr const char* kV2 = "36 25 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n";

TEST(OomKills, OfTheMachineWhereTheGroupKeepsNoCount) {
  FixtureRoot root;
  root.write("/proc/sys/kernel/random/boot_id", "6f1d\n");
  root.write("/proc/vmstat", "pgmajfault 7\noom_kill 3\n");
  const OomKills kills = read_oom_kills(root.root());
  EXPECT_EQ(kills.boot_id, "6f1d");
  EXPECT_EQ(kills.count, 3);
  EXPECT_TRUE(kills.machine_wide);
}

TEST(OomKills, OfTheOwnGroupWhereItCounts) {
  FixtureRoot root;
  root.write("/proc/self/mountinfo", kV2);
  root.write("/proc/self/cgroup", "0::/mine\n");
  root.write("/sys/fs/cgroup/mine/memory.events", "low 0\nmax 9\noom 2\noom_kill 1\n");
  root.write("/proc/vmstat", "oom_kill 30\n");
  EXPECT_EQ(read_oom_kills(root.root()).count, 1);
  EXPECT_FALSE(read_oom_kills(root.root()).machine_wide);
}

TEST(OomKills, NothingToReadIsNothingKnown) {
  const FixtureRoot root;
  const OomKills kills = read_oom_kills(root.root());
  EXPECT_TRUE(kills.boot_id.empty());
  EXPECT_EQ(kills.count, std::nullopt);
  EXPECT_FALSE(killed_between(kills, kills));
}

TEST(OomKills, MoreKillsOrAnotherBootSpeakOfMemory) {
  const OomKills before{"a", 3};
  EXPECT_FALSE(killed_between(before, {"a", 3}));
  EXPECT_TRUE(killed_between(before, {"a", 4}));
  EXPECT_TRUE(killed_between(before, {"b", 0}));
  EXPECT_FALSE(killed_between({"", 3}, {"b", 3}));
  EXPECT_FALSE(killed_between({"a", std::nullopt}, {"a", 4}));
}

}  // namespace
}  // namespace batchscope::host
