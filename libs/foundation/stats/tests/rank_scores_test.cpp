#include "batchscope/stats/rank_scores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace batchscope::stats {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(RankScores, AreTheNormalQuantilesOfTheRanks) {
  // The normal quantiles of (1 - 3/8) / 5.25, (2 - 3/8) / 5.25 and so on.
  const std::vector<double> scores =
      normal_scores(std::vector<double>{30.0, 10.0, 1e9, 20.0, -4.0});
  EXPECT_THAT(scores, ElementsAre(DoubleNear(0.4972, 1e-4), DoubleNear(-0.4972, 1e-4),
                                  DoubleNear(1.1798, 1e-4), DoubleNear(0, 1e-12),
                                  DoubleNear(-1.1798, 1e-4)));
}

TEST(RankScores, EqualValuesShareTheirRank) {
  const std::vector<double> scores = normal_scores(std::vector<double>{2, 1, 2, 3});
  EXPECT_EQ(scores[0], scores[2]);
  EXPECT_NEAR(scores[0], 0, 1e-12);
  EXPECT_NEAR(scores[1], -scores[3], 1e-12);
  EXPECT_THAT(normal_scores(std::vector<double>{7, 7, 7}),
              ElementsAre(DoubleNear(0, 1e-12), DoubleNear(0, 1e-12), DoubleNear(0, 1e-12)));
  EXPECT_THAT(normal_scores({}), IsEmpty());
}

}  // namespace
}  // namespace batchscope::stats
