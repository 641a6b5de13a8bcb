#include "batchscope/stats/change_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "batchscope/stats/binomial.hpp"
#include "noise_model.hpp"
#include "segment_cost.hpp"

namespace batchscope::stats {
namespace {

// The cost of a segment by its definition, from the values themselves.
double direct_cost(const std::vector<double>& values, std::size_t first, std::size_t last,
                   ChangeKind kind, double unit) {
  double mean = 0.0;
  const auto length = static_cast<double>(last - first);
  for (std::size_t i = first; i < last; ++i) mean += values[i] / length;
  double sum = 0.0;
  for (std::size_t i = first; i < last; ++i) {
    sum += (values[i] - mean) * (values[i] - mean) / (unit * unit);
  }
  if (kind == ChangeKind::mean) return sum;
  return length * std::log(std::max(sum / length, 1e-6));
}

double total_cost(const SegmentCost& cost, const std::vector<std::size_t>& firsts, double penalty) {
  double total = penalty * static_cast<double>(firsts.size() - 1);
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    total += cost(firsts[i], i + 1 < firsts.size() ? firsts[i + 1] : cost.size());
  }
  return total;
}

// Every segmentation of [first, n) there is.
double cheapest_by_enumeration(const SegmentCost& cost, std::size_t first, double penalty,
                               std::size_t min_segment) {
  const std::size_t n = cost.size();
  double cheapest = std::numeric_limits<double>::infinity();
  if (n - first >= min_segment) cheapest = cost(first, n);
  for (std::size_t next = first + min_segment; next + min_segment <= n; ++next) {
    cheapest = std::min(cheapest, cost(first, next) + penalty +
                                      cheapest_by_enumeration(cost, next, penalty, min_segment));
  }
  return cheapest;
}

// Optimal partitioning without pruning (Jackson et al. 2005): quadratic, for series too long to
// enumerate.
double cheapest_by_partitioning(const SegmentCost& cost, double penalty, std::size_t min_segment) {
  std::vector<double> best(cost.size() + 1, std::numeric_limits<double>::infinity());
  best[0] = -penalty;
  for (std::size_t end = min_segment; end <= cost.size(); ++end) {
    for (std::size_t begin = 0; begin + min_segment <= end; ++begin) {
      best[end] = std::min(best[end], best[begin] + cost(begin, end) + penalty);
    }
  }
  return best[cost.size()];
}

// A series with a few shifts of level and spread.
std::vector<double> random_series(Rng& rng, std::size_t n) {
  std::vector<double> series(n);
  double level = 0.0;
  double spread = 1.0;
  for (double& value : series) {
    if (rng.below(8) == 0) {
      level = 3.0 * rng.normal();
      spread = std::exp(rng.normal());
    }
    value = level + spread * rng.normal();
  }
  return series;
}

class PeltTest : public ::testing::TestWithParam<ChangeKind> {};

TEST_P(PeltTest, FindsTheCheapestOfAllSegmentations) {
  Rng rng(31);
  for (int round = 0; round < 60; ++round) {
    const auto series = random_series(rng, 10 + static_cast<std::size_t>(rng.below(8)));
    const SegmentCost cost(series, GetParam());
    const std::size_t min_segment = 2 + static_cast<std::size_t>(rng.below(3));
    const double penalty = 0.5 + 10.0 * rng.uniform();
    const auto firsts = pelt(cost, penalty, min_segment);
    EXPECT_NEAR(total_cost(cost, firsts, penalty),
                cheapest_by_enumeration(cost, 0, penalty, min_segment), 1e-8);
  }
}

TEST_P(PeltTest, PruningLosesNothingOnLongSeries) {
  Rng rng(32);
  for (int round = 0; round < 40; ++round) {
    const auto series = random_series(rng, 150);
    const SegmentCost cost(series, GetParam());
    const std::size_t min_segment = 2 + static_cast<std::size_t>(rng.below(6));
    const double penalty = 0.5 + 20.0 * rng.uniform();
    const auto firsts = pelt(cost, penalty, min_segment);
    EXPECT_NEAR(total_cost(cost, firsts, penalty),
                cheapest_by_partitioning(cost, penalty, min_segment), 1e-7);
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      const std::size_t last = i + 1 < firsts.size() ? firsts[i + 1] : series.size();
      EXPECT_GE(last - firsts[i], min_segment);
    }
  }
}

TEST_P(PeltTest, CostFromPrefixSumsIsTheDefinitions) {
  Rng rng(33);
  auto series = random_series(rng, 40);
  for (double& value : series) value += 1e6;
  const SegmentCost cost(series, GetParam());
  // The unit cancels between two costs of equal length (mean) or in their difference (mean and
  // variance).
  const double ratio = cost(0, 20) / direct_cost(series, 0, 20, ChangeKind::mean, 1.0);
  const double unit = GetParam() == ChangeKind::mean ? 1.0 / std::sqrt(ratio) : 1.0;
  const double direct =
      direct_cost(series, 5, 25, GetParam(), unit) - direct_cost(series, 20, 40, GetParam(), unit);
  EXPECT_NEAR(cost(5, 25) - cost(20, 40), direct, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PeltTest,
                         ::testing::Values(ChangeKind::mean, ChangeKind::mean_and_variance));

std::vector<double> noise(Rng& rng, std::size_t n, const NoiseModel& model) {
  std::vector<double> series(n);
  for (double& value : series) value = draw_log_time(rng, model);
  return series;
}

constexpr NoiseModel kNoSpikes{.visit_sd = 0.03, .process_sd = 0.0, .spike_probability = 0.0};

TEST(FindSegments, FindsAShiftOfTheLevelAndDescribesBothSides) {
  Rng rng(34);
  auto series = noise(rng, 80, kNoSpikes);
  for (std::size_t i = 50; i < 80; ++i) series[i] += 0.15;
  const auto segments = find_segments(series);
  ASSERT_TRUE(segments.has_value());
  ASSERT_EQ(segments->size(), 2U);
  EXPECT_EQ((*segments)[0].first, 0U);
  EXPECT_NEAR(static_cast<double>((*segments)[0].last), 50.0, 1.0);
  EXPECT_EQ((*segments)[1].first, (*segments)[0].last);
  EXPECT_EQ((*segments)[1].last, 80U);
  EXPECT_NEAR((*segments)[0].mean, 0.0, 0.02);
  EXPECT_NEAR((*segments)[1].mean, 0.15, 0.02);
  EXPECT_NEAR((*segments)[1].std, 0.03, 0.015);
}

TEST(FindSegments, FindsAWarmUp) {
  Rng rng(35);
  auto series = noise(rng, 60, kNoSpikes);
  for (std::size_t i = 0; i < 5; ++i) series[i] += 0.4;
  const auto segments = find_segments(series);
  ASSERT_EQ(segments->size(), 2U);
  EXPECT_EQ((*segments)[1].first, 5U);
}

TEST(FindSegments, RemovingSpikesDoesNotMoveALargeShift) {
  Rng rng(39);
  for (std::size_t at = 5; at < 55; ++at) {
    auto series = noise(rng, 60, kNoSpikes);
    for (std::size_t i = at; i < 60; ++i) series[i] += 0.4;
    const auto segments = find_segments(series);
    ASSERT_EQ(segments->size(), 2U) << at;
    EXPECT_EQ((*segments)[1].first, at);
  }
}

TEST(FindSegments, FindsAChangeOfSpreadOnlyWhenAskedTo) {
  Rng rng(36);
  auto series = noise(rng, 120, kNoSpikes);
  for (std::size_t i = 60; i < 120; ++i) series[i] *= 6.0;
  ChangePointOptions options;
  options.despike = false;
  options.kind = ChangeKind::mean_and_variance;
  const auto segments = find_segments(series, options);
  ASSERT_EQ(segments->size(), 2U);
  EXPECT_NEAR(static_cast<double>((*segments)[1].first), 60.0, 5.0);
}

TEST(FindSegments, ASpikeIsNoRegime) {
  Rng rng(37);
  auto series = noise(rng, 60, kNoSpikes);
  series[30] += 1.0;
  series[31] += 1.0;
  EXPECT_EQ(find_segments(series)->size(), 1U);
  series[59] += 1.0;
  EXPECT_EQ(find_segments(series)->size(), 1U);
}

TEST(FindSegments, ConstantAndQuantizedSeriesAreWhole) {
  std::vector<double> series(50, 3.0);
  for (const ChangeKind kind : {ChangeKind::mean, ChangeKind::mean_and_variance}) {
    ChangePointOptions options;
    options.kind = kind;
    EXPECT_EQ(find_segments(series, options)->size(), 1U);
  }
  series[20] = 4.0;
  EXPECT_EQ(find_segments(series)->size(), 1U);
}

TEST(FindSegments, NeedsThirtyValues) {
  const std::vector<double> series(29, 1.0);
  EXPECT_FALSE(find_segments(series).has_value());
}

TEST(FindSegments, LeavesSeriesWithoutAChangeWhole) {
  constexpr uint64_t kSeed = 38;
  constexpr std::size_t kRounds = 500;
  for (const std::size_t n : {30U, 100U}) {
    for (const double spikes : {0.0, 0.02}) {
      Rng rng(mix_seed(kSeed, n));
      NoiseModel model;
      model.spike_probability = spikes;
      std::size_t cut = 0;
      for (std::size_t round = 0; round < kRounds; ++round) {
        if (find_segments(noise(rng, n, model))->size() > 1) ++cut;
      }
      const double goal = spikes > 0.0 ? 0.05 : 0.01;
      EXPECT_LE(clopper_pearson(cut, kRounds, 0.99).low, goal)
          << "seed " << kSeed << ", n " << n << ", spikes " << spikes << ": " << cut << " cut";
    }
  }
}

}  // namespace
}  // namespace batchscope::stats
