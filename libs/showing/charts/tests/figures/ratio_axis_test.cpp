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
  const stats::Interval ends = ratio_ends(comparisons, 0.1);
  const Scale scale(ends, -1, 1, true);
  EXPECT_NEAR(scale.at(1), 0, 1e-12);
  EXPECT_NEAR(scale.at(1.1), 0.8, 1e-12);
  EXPECT_NEAR(scale.at(1 / 1.1), -0.8, 1e-12);
  EXPECT_TRUE(scale.is_above(1.2) && scale.is_below(0.2) && scale.is_below(0));
  EXPECT_FALSE(scale.is_above(1.1));
  const std::vector<AxisTick> ticks = ratio_ticks(ends);
  ASSERT_EQ(ticks.size(), 3u);
  EXPECT_EQ(ticks[1].value, 1);
  EXPECT_EQ(ticks[2].text, "1.05");
}

}  // namespace
}  // namespace batchscope::charts
