#include "batchscope/serving/memory_ceiling.hpp"

#include <gtest/gtest.h>

namespace batchscope::serving {
namespace {

int64_t successes_until_raised(MemoryCeiling& ceiling) {
  const int64_t limit = ceiling.limit();
  int64_t count = 0;
  while (ceiling.limit() == limit) {
    ceiling.success(limit);
    ++count;
  }
  return count;
}

TEST(MemoryCeiling, HalvesWhatFailedAndRecoversSlowly) {
  MemoryCeiling ceiling({.recover_after = 4, .growth = 1.5});
  EXPECT_EQ(ceiling.limit(), MemoryCeiling::kNone);
  ceiling.success(1000);
  ceiling.out_of_memory(100);
  EXPECT_EQ(ceiling.limit(), 50);
  EXPECT_EQ(successes_until_raised(ceiling), 4);
  EXPECT_EQ(ceiling.limit(), 75);
}

TEST(MemoryCeiling, SmallBatchesProveNothing) {
  MemoryCeiling ceiling({.recover_after = 2});
  ceiling.out_of_memory(100);
  for (int i = 0; i < 100; ++i) ceiling.success(24);
  EXPECT_EQ(ceiling.limit(), 50);
  ceiling.success(25);
  ceiling.success(25);
  EXPECT_GT(ceiling.limit(), 50);
}

TEST(MemoryCeiling, FailingAgainAfterRaisingMakesItMorePatient) {
  MemoryCeiling ceiling({.recover_after = 4});
  ceiling.out_of_memory(100);
  ceiling.out_of_memory(50);  // the halves of the same batch: not yet raised
  EXPECT_EQ(ceiling.limit(), 25);
  EXPECT_EQ(successes_until_raised(ceiling), 4);
  ceiling.out_of_memory(ceiling.limit());
  EXPECT_EQ(successes_until_raised(ceiling), 8);
  // Bounded, so that memory that came back is found again.
  for (int i = 0; i < 20; ++i) {
    ceiling.out_of_memory(ceiling.limit());
    successes_until_raised(ceiling);
  }
  ceiling.out_of_memory(ceiling.limit());
  EXPECT_EQ(successes_until_raised(ceiling), 4 * 64);
}

TEST(MemoryCeiling, IsLiftedWellBeyondWhatFailed) {
  MemoryCeiling ceiling({.recover_after = 1, .growth = 2});
  ceiling.out_of_memory(8);
  for (const int64_t limit : {4, 8}) {
    EXPECT_EQ(ceiling.limit(), limit);
    ceiling.success(limit);
  }
  EXPECT_EQ(ceiling.limit(), MemoryCeiling::kNone);
}

TEST(MemoryCeiling, NeverGoesBelowOne) {
  MemoryCeiling ceiling;
  for (int i = 0; i < 10; ++i) ceiling.out_of_memory(std::min<int64_t>(ceiling.limit(), 4));
  EXPECT_EQ(ceiling.limit(), 1);
}

}  // namespace
}  // namespace batchscope::serving
