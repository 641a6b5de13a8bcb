// What the thread sanitizer is to look at: many threads, ranges that change threads, and readers.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "batchscope/ranges/profiler.hpp"
#include "hand_clock.hpp"

namespace batchscope::ranges {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 3000;

void work(Profiler& profiler) {
  for (int i = 0; i < kRounds; ++i) {
    const Range outer = profiler.range(i % 2 == 0 ? "even" : "odd");
    profiler.begin("step " + std::to_string(i % 100));
    profiler.end();
  }
}

TEST(Threads, EachHasRangesOfItsOwn) {
  Profiler profiler;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&] { work(profiler); });
  for (std::thread& thread : threads) thread.join();
  const Recording recording = profiler.recording();
  ASSERT_EQ(recording.threads.size(), std::size_t{kThreads});
  ASSERT_EQ(recording.ranges.size(), std::size_t{kThreads * kRounds * 2});
  std::map<int, int64_t> next;
  for (const RangeRecord& range : recording.ranges) {
    EXPECT_EQ(range.number, next[range.thread]++);
    const bool inner = range.name.starts_with("step");
    EXPECT_EQ(range.parent, inner ? std::optional(range.number - 1) : std::nullopt);
  }
}

// What is taken while others record is whole, and nothing is lost or told twice.
TEST(Threads, TakingWhileTheyRecord) {
  Profiler profiler;
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      work(profiler);
      --running;
    });
  }
  std::size_t sum = 0;
  std::vector<RangeRecord> taken;
  bool more = true;
  while (more) {
    more = running > 0;
    for (const RangeRecord& range : profiler.recording().ranges) {
      EXPECT_LE(range.begin_ns, range.end_ns);
    }
    profiler.take(taken);
    sum += taken.size();
    for (const RangeRecord& range : taken) EXPECT_LE(range.begin_ns, range.end_ns);
  }
  for (std::thread& thread : threads) thread.join();
  profiler.take(taken);
  EXPECT_EQ(sum + taken.size(), std::size_t{kThreads * kRounds * 2});
}

// A range travels from the thread that begins it to one that ends it, while the first goes on.
TEST(Threads, RangesEndWhereTheyWereMovedTo) {
  HandDevice device;
  Profiler profiler({.device = &device});
  constexpr int kMoved = 200;
  for (int i = 0; i < kMoved; ++i) {
    Range range = profiler.range("handed over");
    std::thread other([moved = std::move(range)]() mutable { moved.end(); });
    profiler.range("meanwhile").end();
    other.join();
    profiler.range("after").end();
  }
  EXPECT_EQ(profiler.open_ranges(), 0u);
  std::vector<RangeRecord> taken;
  profiler.take(taken);
  ASSERT_EQ(taken.size(), std::size_t{3 * kMoved});
  for (const RangeRecord& range : taken) {
    EXPECT_EQ(range.moved, range.name == "handed over");
    EXPECT_FALSE(range.open);
    EXPECT_FALSE(range.name == "after" && range.parent);
  }
}

// A program that starts a thread for every piece of work leaves nothing behind.
TEST(Threads, ThoseThatEndedAreForgottenOnceTheirRangesAreTaken) {
  Profiler profiler;
  std::vector<RangeRecord> taken;
  Range kept;
  for (int i = 0; i < 10; ++i) {
    std::thread([&] {
      profiler.range("work").end();
      profiler.end();
      if (i == 3) kept = profiler.range("outlives its thread");
    }).join();
    EXPECT_EQ(profiler.recording().threads.back().number, i);
    profiler.take(taken);
    EXPECT_EQ(taken.size(), 1u);
    EXPECT_EQ(taken.front().thread, i);
  }
  EXPECT_EQ(profiler.recording().threads.size(), 1u);
  kept.end();
  profiler.take(taken);
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_TRUE(taken.front().moved);
  const Recording recording = profiler.recording();
  EXPECT_TRUE(recording.threads.empty());
  EXPECT_EQ(recording.unmatched_ends, 10);
}

}  // namespace
}  // namespace batchscope::ranges
