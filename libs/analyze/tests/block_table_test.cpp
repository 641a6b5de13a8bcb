#include "block_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace batchscope::analyze {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

BlockTable example() {
  return {{1, 2}, {{1.0, 2.0}, {1.5, kMissing}, {2.0, 3.5}, {kMissing, 4.0}, {3.0, 4.0}}};
}

TEST(BlockTable, ContrastsPairOnlyWithinBlocks) {
  EXPECT_THAT(paired_contrast(example(), 0, 1), ElementsAre(1.0, 1.5, 1.0));
}

TEST(BlockTable, AMissingVisitDropsItsPairsOnly) {
  EXPECT_THAT(column(example(), 0), ElementsAre(1.0, 1.5, 2.0, 3.0));
}

TEST(BlockTable, OddAndEvenAreRanksAmongCompleteBlocks) {
  const BlockTable complete = complete_blocks(example());
  EXPECT_THAT(odd_blocks(complete).blocks,
              ElementsAre(ElementsAre(1.0, 2.0), ElementsAre(3.0, 4.0)));
  EXPECT_THAT(even_blocks(complete).blocks, ElementsAre(ElementsAre(2.0, 3.5)));
}

TEST(BlockTable, MediansIgnoreSlowBlocksAndSpikes) {
  BlockTable table{{1, 2, 4}, {}};
  for (int k = 0; k < 7; ++k) {
    const double slow = 0.5 * k;  // every block slower than the one before
    table.blocks.push_back({1.0 + slow, 2.0 + slow, 3.0 + slow});
  }
  table.blocks[2][1] += 5;  // one visit hit by a neighbour
  const std::vector<double> typical = block_normalised_medians(table);
  EXPECT_THAT(typical[1] - typical[0], DoubleNear(1.0, 1e-12));
  EXPECT_THAT(typical[2] - typical[1], DoubleNear(1.0, 1e-12));
}

}  // namespace
}  // namespace batchscope::analyze
