#include "batchscope/stats/clustered_quantile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::stats {
namespace {

constexpr double kBetween = 0.03, kWithin = 0.02;

// Values of ln mean 0 that share a group's shift.
std::vector<std::vector<double>> draw(Rng& rng, int groups, int each) {
  std::vector<std::vector<double>> made(static_cast<std::size_t>(groups));
  for (auto& group : made) {
    const double shift = kBetween * rng.normal();
    for (int i = 0; i < each; ++i) group.push_back(std::exp(shift + kWithin * rng.normal()));
  }
  return made;
}

// Share of the intervals that hold the truth.
double coverage(double probability, double normal_quantile, int groups, int each) {
  constexpr int kExperiments = 1000;
  const double truth = std::exp(normal_quantile * std::hypot(kBetween, kWithin));
  Rng rng(11);
  int held = 0;
  for (int i = 0; i < kExperiments; ++i) {
    const auto interval = clustered_quantile_interval(draw(rng, groups, each), probability);
    if (interval && interval->low <= truth && truth <= interval->high) ++held;
  }
  return static_cast<double>(held) / kExperiments;
}

TEST(ClusteredQuantile, IntervalsHoldTheTruthAsOftenAsTheyPromise) {
  EXPECT_GT(coverage(0.5, 0.0, 20, 50), 0.93);
  EXPECT_GT(coverage(0.5, 0.0, 12, 5), 0.93);
  EXPECT_GT(coverage(0.9, 1.2816, 30, 20), 0.90);
}

TEST(ClusteredQuantile, GroupsThatAreAlikeAreWorthFewerValues) {
  Rng rng(3);
  const auto groups = draw(rng, 20, 50);
  std::vector<double> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  const auto clustered = clustered_quantile_interval(groups, 0.5);
  const auto independent = quantile_ranks(all.size(), 0.5);
  ASSERT_TRUE(clustered && independent);
  EXPECT_EQ(clustered->value, quantile(all, 0.5));
  std::sort(all.begin(), all.end());
  const double width = all[independent->high - 1] - all[independent->low - 1];
  EXPECT_GT(clustered->high - clustered->low, 2 * width);
}

TEST(ClusteredQuantile, SaysNothingOfWhatIsTooLittle) {
  Rng rng(3);
  EXPECT_EQ(clustered_quantile_interval(draw(rng, 2, 100), 0.5), std::nullopt);
  EXPECT_EQ(clustered_quantile_interval(draw(rng, 10, 30), 0.99), std::nullopt);
  EXPECT_EQ(clustered_quantile_interval({}, 0.5), std::nullopt);
}

}  // namespace
}  // namespace batchscope::stats
