#include "batchscope/loading/prefetcher.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace batchscope::loading {
namespace {

using base::Result;

TEST(Prefetcher, HandsItemsOutInTheirOrderHoweverManyMakeThem) {
  for (const int workers : {0, 1, 4}) {
    Prefetcher<int64_t> items([](int64_t number) -> Result<int64_t> { return number * 10; },
                              workers, 3);
    for (int64_t i = 0; i < 1000; ++i) ASSERT_EQ(*items.next(), i * 10);
  }
}

TEST(Prefetcher, IsAtMostAsFarAheadAsItMay) {
  constexpr int kWorkers = 3, kPrefetch = 2;
  std::atomic<int64_t> asked = 0;  // next() calls begun
  std::atomic<int64_t> furthest = 0;
  Prefetcher<int64_t> items(
      [&](int64_t number) -> Result<int64_t> {
        int64_t ahead = number - asked, seen = furthest;
        while (ahead > seen && !furthest.compare_exchange_weak(seen, ahead)) {
        }
        return number;
      },
      kWorkers, kPrefetch);
  for (int64_t i = 0; i < 500; ++i) {
    ++asked;
    ASSERT_TRUE(items.next());
  }
  EXPECT_LT(furthest, kWorkers * kPrefetch);
  EXPECT_GT(furthest, 0);
}

// Only two threads at once can both be in there.
TEST(Prefetcher, MakesSeveralAtOnce) {
  std::mutex mutex;
  std::condition_variable both;
  int inside = 0;
  Prefetcher<int> items(
      [&](int64_t) -> Result<int> {
        std::unique_lock lock(mutex);
        if (++inside == 2) both.notify_all();
        both.wait(lock, [&] { return inside >= 2; });
        return 1;
      },
      2, 1);
  EXPECT_TRUE(items.next());
  EXPECT_TRUE(items.next());
}

TEST(Prefetcher, FailsInTheTurnOfWhatCouldNotBeMade) {
  for (const int workers : {0, 2}) {
    Prefetcher<int64_t> items(
        [](int64_t number) -> Result<int64_t> {
          if (number == 2) return base::Error{base::ErrorKind::input, "no file", "", ""};
          return number;
        },
        workers, 4);
    EXPECT_TRUE(items.next());
    EXPECT_TRUE(items.next());
    EXPECT_EQ(items.next().error().what, "no file");
    EXPECT_EQ(*items.next(), 3);
  }
}

TEST(Prefetcher, GoesAwayWithWhatNobodyTook) {
  std::atomic<int> made = 0;
  {
    Prefetcher<int> items(
        [&](int64_t) -> Result<int> {
          ++made;
          return 1;
        },
        2, 8);
    EXPECT_TRUE(items.next());
  }
  EXPECT_GE(made, 1);
  EXPECT_LE(made, 17);
}

}  // namespace
}  // namespace batchscope::loading
