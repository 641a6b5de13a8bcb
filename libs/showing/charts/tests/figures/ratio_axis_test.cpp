#include "batchscope/charts/ratio_axis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/summaries/answered.hpp"

namespace batchscope::charts {
namespace {

TEST(RatioAxis, HasNoDifferenceInTheMiddleAndTheMarginOnIt) {
  std::vector<findings::Comparison> comparisons = fixtures::compared().comparisons;
  comparisons.resize(1);
  comparisons.front().ratio = {1.01, stats::Interval{0.2, 40}};
  const RatioAxis axis(comparisons, 0.1);
  EXPECT_EQ(axis.place(1), 0);
  EXPECT_NEAR(axis.place(1.1), 0.8, 1e-12);
  EXPECT_NEAR(axis.place(1 / 1.1), -0.8, 1e-12);
  EXPECT_TRUE(axis.is_beyond(1.2) && axis.is_beyond(0.2) && axis.is_beyond(0));
  EXPECT_FALSE(axis.is_beyond(1.1));
  EXPECT_THAT(axis.marks(), ::testing::Contains(1.0));
  EXPECT_GT(axis.marks().size(), 1u);
}

}  // namespace
}  // namespace batchscope::charts
