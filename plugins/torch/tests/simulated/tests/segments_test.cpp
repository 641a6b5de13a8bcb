#include "allocator/segments.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace batchscope::simulated {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

// Addresses are only counted with, never read.
class SegmentsOf64MiB : public testing::Test {
 protected:
  Block* take(std::size_t bytes, int64_t stream = 0) {
    Block* const cached = segments_.take_cached(bytes, stream);
    return cached != nullptr ? cached : segments_.take_new(bytes, stream);
  }
  int64_t allocated() { return segments_.stats().allocated_bytes[0].current; }
  int64_t reserved() { return segments_.stats().reserved_bytes[0].current; }
  std::size_t release() {
    std::size_t released = 0;
    segments_.release([&](const Block& block) { released += block.size; });
    return released;
  }

  static char* base() { return reinterpret_cast<char*>(kMiB); }
  Segments segments_{base(), 512 * kMiB, 64 * kMiB};
};

TEST_F(SegmentsOf64MiB, SmallOnesShareTwoMiB) {
  Block* const first = take(100);
  Block* const second = take(1000);
  EXPECT_EQ(first->size, 512);
  EXPECT_EQ(second->size, 1024);
  EXPECT_EQ(second->at, first->at + 512);
  EXPECT_EQ(allocated(), 1536);
  EXPECT_EQ(reserved(), 2 * kMiB);
}

TEST_F(SegmentsOf64MiB, FreePiecesAreJoinedAndUsedAgain) {
  const std::array<Block*, 3> blocks{take(4 * kMiB), take(4 * kMiB), take(4 * kMiB)};
  EXPECT_EQ(reserved(), 20 * kMiB);
  char* const start = blocks[0]->at;
  segments_.give(blocks[0]);
  segments_.give(blocks[2]);
  segments_.give(blocks[1]);
  EXPECT_EQ(allocated(), 0);
  Block* const full = take(9 * kMiB);
  EXPECT_EQ(full->at, start);
  EXPECT_EQ(reserved(), 20 * kMiB);
}

TEST_F(SegmentsOf64MiB, EachStreamHasItsOwnCache) {
  segments_.give(take(4 * kMiB, 0));
  EXPECT_EQ(segments_.take_cached(4 * kMiB, 1), nullptr);
  EXPECT_NE(segments_.take_cached(4 * kMiB, 0), nullptr);
}

TEST_F(SegmentsOf64MiB, OnlyWhatNothingUsesIsGivenBack) {
  Block* const used = take(4 * kMiB);
  segments_.give(take(30 * kMiB));
  EXPECT_EQ(reserved(), 50 * kMiB);
  EXPECT_EQ(release(), 30 * kMiB);
  EXPECT_EQ(reserved(), 20 * kMiB);
  segments_.give(used);
  EXPECT_EQ(release(), 20 * kMiB);
  EXPECT_EQ(segments_.reserved(), 0);
}

TEST_F(SegmentsOf64MiB, TheCapacityIsTheEnd) {
  EXPECT_EQ(segments_.take_new(66 * kMiB, 0), nullptr);
  Block* const half = take(40 * kMiB);
  EXPECT_EQ(segments_.take_new(26 * kMiB, 0), nullptr);
  segments_.give(half);
  release();
  EXPECT_NE(take(64 * kMiB), nullptr);
}

TEST_F(SegmentsOf64MiB, PeaksStayUntilTheyAreReset) {
  segments_.give(take(30 * kMiB));
  release();
  EXPECT_EQ(segments_.stats().allocated_bytes[0].peak, 30 * kMiB);
  EXPECT_EQ(segments_.stats().reserved_bytes[0].peak, 30 * kMiB);
  EXPECT_EQ(segments_.stats().num_device_alloc, 1);
  EXPECT_EQ(segments_.stats().num_device_free, 1);
}

}  // namespace
}  // namespace batchscope::simulated
