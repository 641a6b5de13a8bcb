#include "batchscope/tune/goal.hpp"

#include <gtest/gtest.h>

namespace batchscope::tune {
namespace {

TEST(Goal, StatisticsGoThereAndBack) {
  for (const char* const name : {"mean", "p50", "p90", "p99"}) {
    const auto parsed = parse_latency_statistic(name);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(to_string(*parsed), name);
  }
  EXPECT_FALSE(parse_latency_statistic("p95"));
  EXPECT_EQ(probability_of(LatencyStatistic::mean), std::nullopt);
  EXPECT_DOUBLE_EQ(*probability_of(LatencyStatistic::p99), 0.99);
}

TEST(Goal, AMillionSamplesCostTheHoursTheyTake) {
  // 1,000,000 samples at 500 a second take 2000 s.
  EXPECT_NEAR(cost_of_a_million(3.6, 500), 2.0, 1e-12);
}

}  // namespace
}  // namespace batchscope::tune
