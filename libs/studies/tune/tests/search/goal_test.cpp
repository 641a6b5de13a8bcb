#include "batchscope/tune/goal.hpp"

#include <gtest/gtest.h>

namespace batchscope::tune {
namespace {

TEST(Goal, QuantilesHaveTheirProbabilityAndTheMeanNone) {
  EXPECT_EQ(probability_of(LatencyStatistic::mean), std::nullopt);
  EXPECT_DOUBLE_EQ(*probability_of(LatencyStatistic::p99), 0.99);
  EXPECT_DOUBLE_EQ(*probability_of(*schema::parse_latency_statistic("p95")), 0.95);
  EXPECT_DOUBLE_EQ(*probability_of(*schema::parse_latency_statistic("p99.9")), 0.999);
}

TEST(Goal, AMillionSamplesCostTheHoursTheyTake) {
  // 1,000,000 samples at 500 a second take 2000 s.
  EXPECT_NEAR(cost_of_a_million(3.6, 500), 2.0, 1e-12);
}

}  // namespace
}  // namespace batchscope::tune
