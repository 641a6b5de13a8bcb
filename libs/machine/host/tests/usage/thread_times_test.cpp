#include "batchscope/host/thread_times.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "batchscope/host/hardware_counters.hpp"
#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::SizeIs;

// Until the calling thread has used that much CPU time.
void work(std::chrono::nanoseconds time) {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  const auto used = [&now] { return now.tv_sec * 1'000'000'000 + now.tv_nsec; };
  const int64_t end = used() + time.count();
  while (used() < end) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
}

TEST(ThreadTimes, EachThreadHasItsOwn) {
  const base::SystemRoot root;
  std::atomic<bool> worked = false, read = false;
  const ThreadTimes before = read_thread_times(root);
  std::thread other([&] {
    work(std::chrono::milliseconds(20));
    worked = true;
    worked.notify_one();
    read.wait(false);
  });
  worked.wait(false);
  const auto busy = busy_between(before, read_thread_times(root));
  read = true;
  read.notify_one();
  other.join();
  ASSERT_THAT(busy, SizeIs(Ge(1U)));
  EXPECT_GE(busy[0], 20'000'000);
  EXPECT_LT(busy.size() > 1 ? busy[1] : 0, busy[0]);
}

TEST(ThreadTimes, TheLargestIsFirstAndTheIdleAreLeftOut) {
  EXPECT_THAT(busy_between({{1, 10}, {2, 10}, {3, 5}}, {{1, 10}, {2, 14}, {4, 9}}),
              ElementsAre(9, 4));
}

TEST(HugePages, AreReadFromTheRollup) {
  FixtureRoot root;
  root.write("/proc/self/smaps_rollup",
             "1-2 ---p 0 00:00 0 [rollup]\nRss: 90 kB\nAnonymous:  64 kB\nAnonHugePages:  32 kB\n");
  const auto pages = read_huge_pages(root.root());
  ASSERT_TRUE(pages);
  EXPECT_EQ(pages->anonymous_bytes, 64 * 1024);
  EXPECT_EQ(pages->huge_bytes, 32 * 1024);
  EXPECT_FALSE(read_huge_pages(FixtureRoot().root()));
}

TEST(HardwareCounters, AreCountedOrSayWhyNot) {
  HardwareCounters counters{base::SystemRoot()};
  counters.start();
  work(std::chrono::milliseconds(5));
  counters.stop();
  const auto counts = counters.counts();
  const auto absent = counters.absent();
  EXPECT_EQ(absent.count("counters"), counts.empty() ? 1U : 0U);
  for (const auto& [name, reason] : absent) EXPECT_FALSE(reason.empty()) << name;
  for (const char* name : {"cycles", "ref_cycles", "instructions", "branch_misses", "llc_misses",
                           "dtlb_misses", "remote_loads"}) {
    EXPECT_EQ(counts.count(name) + absent.count(name), counts.empty() ? 0U : 1U) << name;
  }
  for (const auto& [name, count] : counts) EXPECT_GE(count, 0) << name;
  if (!counts.contains("instructions")) return;
  EXPECT_GT(counts.at("instructions"), 1000);
}

}  // namespace
}  // namespace batchscope::host
