#include "claims/dominance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace batchscope::tables {
namespace {

BlockTable table_of(const std::vector<int64_t>& sizes, const std::vector<double>& odd,
                    const std::vector<double>& even, int pairs) {
  BlockTable table{sizes, {}};
  for (int k = 0; k < pairs; ++k) {
    for (const auto* times : {&odd, &even}) {
      std::vector<double> row;
      for (const double time : *times) row.push_back(std::log(time) + 0.01 * k);
      table.blocks.push_back(row);
    }
  }
  return table;
}

TEST(Dominance, IsTestedOnTheEvenBlocksOnly) {
  // The odd blocks choose 4 + 4; the even ones say what it is worth.
  const BlockTable table = table_of({1, 4, 8}, {3, 5, 14}, {3, 5, 12}, 6);
  const auto claims = dominance_claims(table, {});
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].size_index, 2u);
  EXPECT_THAT(claims[0].split.parts, testing::ElementsAre(4, 4));
  EXPECT_NEAR(std::exp(claims[0].excess.value), 1.2, 1e-9);
  EXPECT_EQ(claims[0].excess.n, 6u);
  EXPECT_EQ(claims[0].n_blocks, 12u);
}

TEST(Dominance, ClaimsNothingThatDeltaCovers) {
  const BlockTable table = table_of({4, 8}, {5, 10.2}, {5, 14}, 6);
  EXPECT_TRUE(dominance_claims(table, {}).empty());
}

TEST(Dominance, SumsTheMembersWithinEachBlock) {
  BlockTable table{{1, 2, 4}, {}};
  for (const double t : {1.0, 1.2, 0.9, 1.1}) {
    table.blocks.push_back({std::log(t), std::log(2.5), std::log(t * 5)});
  }
  const auto claims = dominance_claims(table, {});
  const auto four = std::find_if(claims.begin(), claims.end(),
                                 [](const DominanceClaim& claim) { return claim.size_index == 2; });
  ASSERT_NE(four, claims.end());
  EXPECT_THAT(four->split.parts, testing::ElementsAre(1, 1, 1, 1));
  EXPECT_NEAR(std::exp(four->excess.value), 1.25, 1e-9);
  EXPECT_EQ(four->p, 0);  // both even blocks agree exactly
}

TEST(Dominance, IncompleteBlocksAreLeftOut) {
  BlockTable table = table_of({1, 4, 8}, {3, 5, 14}, {3, 5, 12}, 6);
  table.blocks[0][1] = kMissing;
  const auto claims = dominance_claims(table, {});
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].n_blocks, 11u);
}

TEST(Dominance, OneSizeHasNoOtherWay) {
  EXPECT_TRUE(dominance_claims(table_of({4}, {5}, {5}, 6), {}).empty());
}

}  // namespace
}  // namespace batchscope::tables
