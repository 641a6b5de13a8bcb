#include "batchscope/stats/change_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "segmentation.hpp"

namespace batchscope::stats {
namespace {

struct Noise {
  double sd = 1;
  double correlation = 0;    // of neighbours, AR(1)
  double outliers = 0;       // share of values
  double outlier_size = 20;  // in sd, upwards
  bool heavy_tails = false;  // Student's t with 2 degrees of freedom
};

std::vector<double> draw(Rng& rng, const Noise& noise, std::size_t n) {
  std::vector<double> values;
  double state = rng.normal();
  for (std::size_t i = 0; i < n; ++i) {
    state = noise.correlation * state +
            std::sqrt(1 - noise.correlation * noise.correlation) * rng.normal();
    double value = state;
    if (noise.heavy_tails) {
      const double a = rng.normal(), b = rng.normal();
      value = state / std::sqrt((a * a + b * b) / 2);
    }
    if (rng.uniform() < noise.outliers) value += noise.outlier_size;
    values.push_back(noise.sd * value);
  }
  return values;
}

double cost_of(const PartSums& sums, std::size_t n, double penalty,
               std::span<const std::size_t> cuts) {
  double cost = 0;
  std::size_t begin = 0;
  for (const std::size_t cut : cuts) {
    cost += sums.squares(begin, cut) + penalty;
    begin = cut;
  }
  return cost + sums.squares(begin, n);
}

// Every way to cut, by dynamic programming without any pruning.
double least_cost(const PartSums& sums, std::size_t n, double penalty, std::size_t fewest) {
  std::vector<double> least(n + 1, std::numeric_limits<double>::infinity());
  least[0] = -penalty;
  for (std::size_t end = fewest; end <= n; ++end) {
    for (std::size_t cut = 0; cut + fewest <= end; ++cut) {
      least[end] = std::min(least[end], least[cut] + sums.squares(cut, end) + penalty);
    }
  }
  return least[n];
}

TEST(BestCuts, AreThoseOfAnExhaustiveSearch) {
  Rng rng(7);
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = 20 + rng.below(60);
    const std::size_t fewest = 1 + rng.below(9);
    const double penalty = 12 * rng.uniform();
    std::vector<double> values = draw(rng, {}, n);
    for (std::size_t i = rng.below(n); i < n; ++i) values[i] += 4 * rng.uniform();
    for (std::size_t i = rng.below(n); i < n; ++i) values[i] -= 3;
    const PartSums sums(values);
    const auto cuts = best_cuts(sums, n, penalty, fewest);
    EXPECT_NEAR(cost_of(sums, n, penalty, cuts), least_cost(sums, n, penalty, fewest), 1e-9)
        << "round " << round;
  }
}

TEST(PartSums, AreThoseOfTheParts) {
  const std::vector<double> values = {1e9 + 1, 1e9 + 3, 1e9 + 5, 1e9 + 4};
  const PartSums sums(values);
  EXPECT_EQ(sums.mean(0, 3), 1e9 + 3);
  EXPECT_EQ(sums.squares(0, 3), 8);
  EXPECT_NEAR(sums.squares_from_line(0, 3), 0, 1e-9);
  EXPECT_NEAR(sums.squares_from_line(0, 4), 2.7, 1e-9);  // 8.75 - 5.5^2 / 5
}

TEST(ChangePoints, AreNoneInWhatIsShortOrAlwaysTheSame) {
  EXPECT_TRUE(change_points({}).empty());
  EXPECT_TRUE(change_points(std::vector<double>(15, 1.0)).empty());
  EXPECT_TRUE(change_points(std::vector<double>(500, 0.2)).empty());
}

TEST(ChangePoints, AreExactWithoutNoise) {
  std::vector<double> values(100, 0.2);
  for (std::size_t i = 60; i < 100; ++i) values[i] = 0.25;
  const auto found = change_points(values);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].index, 60u);
  EXPECT_EQ(found[0].first, 60u);
  EXPECT_EQ(found[0].last, 60u);
  EXPECT_NEAR(found[0].after - found[0].before, 0.05, 1e-12);
}

TEST(ChangePoints, AreFoundWhereTheyAreFarLargerThanTheNoise) {
  Rng rng(5);
  auto values = draw(rng, {}, 200);
  for (std::size_t i = 60; i < 200; ++i) values[i] += 1000;
  for (std::size_t i = 130; i < 200; ++i) values[i] -= 400;
  const auto found = change_points(values);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].index, 60u);
  EXPECT_EQ(found[1].index, 130u);
  EXPECT_TRUE(found[1].size.contains(-400));
  EXPECT_LT(found[1].size.half_width(), 0.5);
}

// At most 1 % of the series without a change have one found in any of the windows of 1000 values, a
// window every 500, that a watch over 5000 steps looks at.
class FalseAlarms : public testing::TestWithParam<Noise> {};

TEST_P(FalseAlarms, AreAtMostOnePercentOfSeriesOf5000) {
  constexpr int kSeries = 200;
  constexpr std::size_t kLength = 5000, kWindow = 1000, kEvery = 500;
  Rng rng(11);
  int alarms = 0;
  for (int i = 0; i < kSeries; ++i) {
    const auto values = draw(rng, GetParam(), kLength);
    bool alarm = false;
    for (std::size_t end = kWindow; end <= kLength && !alarm; end += kEvery) {
      alarm = !change_points(std::span(values).subspan(end - kWindow, kWindow)).empty();
    }
    alarms += alarm;
  }
  RecordProperty("alarms_of_200", alarms);
  EXPECT_LE(alarms, kSeries / 100);
}

INSTANTIATE_TEST_SUITE_P(Stationary, FalseAlarms,
                         testing::Values(Noise{}, Noise{1, 0.3, 0, 0, false},
                                         Noise{1, 0.6, 0, 0, false}, Noise{1, 0.9, 0, 0, false},
                                         Noise{1, 0, 0.02, 20, false}, Noise{1, 0, 0, 0, true},
                                         Noise{1, 0.6, 0.02, 50, true}));

// White noise hides how slow the rest is from neighbours.
TEST(ChangePoints, AreNoneInSlowNoiseUnderWhiteNoise) {
  Rng rng(23);
  int alarms = 0;
  for (int i = 0; i < 200; ++i) {
    auto values = draw(rng, {1, 0.95, 0, 0, false}, 600);
    for (double& value : values) value += rng.normal();
    alarms += !change_points(values).empty();
  }
  RecordProperty("alarms_of_200", alarms);
  EXPECT_LE(alarms, 4);
}

// Noise that is slower than the series is long: what is far larger is still found, what is not is
// not.
TEST(ChangePoints, AreFoundBesideSlowNoiseWhereTheyAreFarLarger) {
  Rng rng(29);
  int found = 0, alarms = 0;
  for (int i = 0; i < 100; ++i) {
    auto values = draw(rng, {1, 0.99, 0, 0, false}, 600);
    alarms += !change_points(values).empty();
    for (std::size_t at = 300; at < 600; ++at) values[at] += 60;
    const auto changes = change_points(values);
    found += changes.size() == 1 && changes[0].index == 300;
  }
  RecordProperty("alarms_of_100", alarms);
  RecordProperty("found_of_100", found);
  EXPECT_LE(alarms, 2);
  EXPECT_GE(found, 95);
}

struct Power {
  Noise noise;
  double change = 0;  // in sd
};

class FindsChanges : public testing::TestWithParam<Power> {};

// 1000 values that change in the middle: how often it is found, and how often the intervals hold
// the truth.
TEST_P(FindsChanges, NineOfTenWithIntervalsThatHold) {
  constexpr int kSeries = 400;
  Rng rng(13);
  int found = 0, places = 0, sizes = 0, steps = 0;
  for (int i = 0; i < kSeries; ++i) {
    auto values = draw(rng, GetParam().noise, 1000);
    for (std::size_t at = 500; at < 1000; ++at) values[at] += GetParam().change;
    const auto changes = change_points(values);
    if (changes.size() != 1) continue;
    ++found;
    places += changes[0].first <= 500 && 500 <= changes[0].last;
    sizes += changes[0].size.contains(GetParam().change);
    steps += changes[0].better_than_line > 0;
  }
  RecordProperty("found_of_400", found);
  RecordProperty("places_of_400", places);
  RecordProperty("sizes_of_400", sizes);
  EXPECT_GE(found, kSeries * 90 / 100);
  EXPECT_GE(places, found * 90 / 100);
  EXPECT_GE(sizes, found * 90 / 100);
  EXPECT_GE(steps, found * 90 / 100);
}

INSTANTIATE_TEST_SUITE_P(InTheMiddle, FindsChanges,
                         testing::Values(Power{{}, 0.5}, Power{{}, 3},
                                         Power{{1, 0.6, 0, 0, false}, 1.1},
                                         Power{{1, 0, 0.02, 20, false}, 0.6},
                                         Power{{1, 0, 0, 0, true}, 1}));

TEST(ChangePoints, TellASlopeFromAStep) {
  Rng rng(17);
  int lines = 0;
  for (int i = 0; i < 100; ++i) {
    auto values = draw(rng, {}, 1000);
    for (std::size_t at = 0; at < 1000; ++at) values[at] += 4 * static_cast<double>(at) / 1000;
    for (const auto& change : change_points(values)) lines += change.better_than_line < 0;
  }
  EXPECT_GE(lines, 200);  // at least two in each
}

// A half of what comes last, which is little of the whole, and so would be its outliers.
TEST(ChangePoints, OfWhichAHalfMovesHaveTheMeanOfAll) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    std::vector<double> values = draw(rng, {0.01}, 480);
    double moved = 0;
    for (std::size_t i = 400; i < values.size(); ++i) {
      if (rng.uniform() >= 0.5) continue;
      values[i] += 1;
      moved += 1.0 / 80;
    }
    const auto changes = change_points(values);
    ASSERT_LE(changes.size(), 1U) << "seed " << seed;
    if (changes.empty()) continue;  // one that is hardly beyond the scatter
    ++found;
    EXPECT_NEAR(changes[0].after - changes[0].before, moved, 0.1) << "seed " << seed;
    EXPECT_NEAR(changes[0].variance_after, moved * (1 - moved), 0.05) << "seed " << seed;
    EXPECT_TRUE(changes[0].size.contains(0.5)) << "seed " << seed;
  }
  EXPECT_GE(found, 18);
}

}  // namespace
}  // namespace batchscope::stats
