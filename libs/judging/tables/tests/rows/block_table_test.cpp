#include "batchscope/tables/block_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace batchscope::tables {
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

BlockTable noisy_table(std::size_t columns) {
  BlockTable table{{}, {}};
  for (std::size_t s = 0; s < columns; ++s) table.sizes.push_back(static_cast<int64_t>(s) + 1);
  for (int k = 0; k < 9; ++k) {
    table.blocks.emplace_back();
    for (std::size_t s = 0; s < columns; ++s) {
      const double wiggle = 0.02 * std::sin(12.9898 * k + 78.233 * static_cast<double>(s));
      table.blocks.back().push_back(1.0 + static_cast<double>(s) + 0.1 * k + wiggle);
    }
  }
  return table;
}

TEST(BlockTable, ASpikeIsMovedInAndTheRestStaysWithinItsNoise) {
  BlockTable table = noisy_table(4);
  const BlockTable before = table;
  table.blocks[4][2] += 2.0;
  const BlockTable winsorized = with_spikes_moved_in(table);
  EXPECT_LT(winsorized.blocks[4][2], before.blocks[4][2] + 0.15);
  EXPECT_GT(winsorized.blocks[4][2], before.blocks[4][2]);
  for (std::size_t k = 0; k < table.blocks.size(); ++k) {
    if (k == 4) continue;
    for (std::size_t column = 0; column < table.columns(); ++column) {
      EXPECT_NEAR(winsorized.blocks[k][column], table.blocks[k][column], 0.05) << "block " << k;
    }
  }
}

// Twelve blocks of six quiet sizes; the visits of the third size in `blocks` are off by `far`.
BlockTable two_ways(const std::vector<std::size_t>& blocks, double far) {
  BlockTable table = noisy_table(6);
  for (int k = 9; k < 12; ++k)
    table.blocks.push_back(table.blocks[static_cast<std::size_t>(k - 9)]);
  for (const std::size_t k : blocks) table.blocks[k][2] += far;
  return table;
}

TEST(BlockTable, ASizeThatRunsInTwoWaysKeepsBoth) {
  const BlockTable five = two_ways({0, 2, 5, 7, 10}, 0.3);
  EXPECT_EQ(column(with_spikes_moved_in(five), 2), column(five, 2));
  const BlockTable four = two_ways({0, 2, 5, 7}, 0.3);
  EXPECT_NE(column(with_spikes_moved_in(four), 2), column(four, 2)) << "a third: accidents";
}

TEST(BlockTable, FastVisitsAreNoAccidents) {
  const BlockTable three = two_ways({3, 6, 8}, -0.3);
  EXPECT_EQ(column(with_spikes_moved_in(three), 2), column(three, 2));
  const BlockTable two = two_ways({3, 8}, -0.3);
  EXPECT_NE(column(with_spikes_moved_in(two), 2), column(two, 2));
}

TEST(BlockTable, FewBlocksTellLessOfWhatIsAnAccident) {
  BlockTable table = noisy_table(6);
  table.blocks.resize(6);
  table.blocks[1][2] += 0.3;
  EXPECT_NE(column(with_spikes_moved_in(table), 2), column(table, 2));
  table.blocks[4][2] += 0.3;
  EXPECT_EQ(column(with_spikes_moved_in(table), 2), column(table, 2));
}

TEST(BlockTable, WhatBefallsAThirdOfTheVisitsIsNoSpike) {
  BlockTable table = noisy_table(4);
  for (std::size_t k = 0; k < table.blocks.size(); ++k) {
    for (std::size_t s = 0; s < 4; ++s) {
      if ((k + 2 * s) % 3 == 0) table.blocks[k][s] += 0.3;
    }
  }
  EXPECT_EQ(with_spikes_moved_in(table).blocks, table.blocks);
}

TEST(BlockTable, ASlowBlockIsNoSpike) {
  BlockTable table = noisy_table(4);
  for (double& value : table.blocks[4]) value += 2.0;
  EXPECT_EQ(with_spikes_moved_in(table).blocks[4], table.blocks[4]);
}

TEST(BlockTable, TwoColumnsCannotTellASpikeFromABlock) {
  BlockTable table = noisy_table(2);
  table.blocks[4][1] += 2.0;
  EXPECT_EQ(with_spikes_moved_in(table).blocks, table.blocks);
}

}  // namespace
}  // namespace batchscope::tables
