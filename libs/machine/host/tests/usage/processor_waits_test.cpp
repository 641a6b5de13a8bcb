#include "batchscope/host/processor_waits.hpp"

#include <gtest/gtest.h>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

void account(FixtureRoot& root, int thread, const std::string& text) {
  root.write("/proc/self/task/" + std::to_string(thread) + "/schedstat", text + "\n");
}

// In ticks: user 100, idle 800, steal as said.
void stat(FixtureRoot& root, int idle, int steal) {
  const std::string times = " 100 0 0 " + std::to_string(idle) + " 0 0 0 ";
  root.write("/proc/stat", "cpu 0 0 0 0 0 0 0 0\ncpu0" + times + std::to_string(steal) + "\ncpu1" +
                               times + "7000\nintr 1\n");
}

schema::Usage between(const ProcessorWaits& before, const ProcessorWaits& after) {
  schema::Usage usage;
  put_waits(before, after, usage);
  return usage;
}

TEST(ProcessorWaits, AreThoseOfAllThreadsAndTheLongestOfOne) {
  FixtureRoot root;
  account(root, 10, "9000 400 12");
  account(root, 11, "7000 100 3");
  account(root, 12, "7000 5000 3");
  const ProcessorWaits before = read_processor_waits(root.root(), {});
  account(root, 10, "9900 1000 15");
  account(root, 11, "7000 350 4");
  root.remove("/proc/self/task/12/schedstat");
  account(root, 13, "100 70 1");
  const schema::Usage usage = between(before, read_processor_waits(root.root(), {}));
  EXPECT_EQ(usage.wait_ns, 600 + 250 + 70) << "the thread that ended is left out";
  EXPECT_EQ(usage.wait_max_thread_ns, 600);
}

TEST(ProcessorWaits, ANumberThatWasHandedOutAgainIsAnotherThread) {
  ProcessorWaits before, after;
  before.threads = {{10, 400}, {11, 5000}};
  after.threads = {{10, 400}, {11, 30}};
  EXPECT_EQ(between(before, after).wait_ns, 30);
}

TEST(ProcessorWaits, AreAbsentWhereTheKernelDoesNotCount) {
  FixtureRoot root;
  const ProcessorWaits none = read_processor_waits(root.root(), {});
  EXPECT_FALSE(none.threads);
  EXPECT_FALSE(none.total_ns);
  EXPECT_FALSE(between(none, none).wait_ns);
  EXPECT_FALSE(between(none, none).steal_ratio);
  account(root, 10, "0 0 0");
  EXPECT_FALSE(read_processor_waits(root.root(), {}).threads);
  account(root, 10, "garbage");
  EXPECT_FALSE(read_processor_waits(root.root(), {}).threads);
}

TEST(ProcessorWaits, StealIsThatOfTheProcessorsAskedFor) {
  FixtureRoot root;
  stat(root, 800, 0);
  const ProcessorWaits before = read_processor_waits(root.root(), {0});
  stat(root, 890, 10);
  EXPECT_DOUBLE_EQ(between(before, read_processor_waits(root.root(), {0})).steal_ratio.value_or(-1),
                   0.1);
  EXPECT_FALSE(between(before, before).steal_ratio) << "no tick between the readings";
}

TEST(ProcessorWaits, OfThisProcessGrowAndAreNeverNegative) {
  const ProcessorWaits before = read_processor_waits(base::SystemRoot(), current_affinity());
  if (!before.threads) GTEST_SKIP() << "this kernel does not count them";
  const auto after = read_processor_waits(base::SystemRoot(), current_affinity());
  const schema::Usage usage = between(before, after);
  EXPECT_GE(usage.wait_ns.value_or(-1), 0);
  EXPECT_LE(usage.wait_max_thread_ns.value_or(0), usage.wait_ns.value_or(-1));
}

}  // namespace
}  // namespace batchscope::host
