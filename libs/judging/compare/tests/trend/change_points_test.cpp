#include "batchscope/compare/change_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rng.hpp"
#include "trend/rank_tests.hpp"
#include "trend/shifts.hpp"

namespace batchscope::compare {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<double> noise(std::size_t n, stats::Rng& rng, double sd = 1) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(sd * rng.normal());
  return values;
}

// So many values of each level in turn, with unit scatter.
struct Level {
  std::size_t n;
  double value;
};
std::vector<double> steps(const std::vector<Level>& levels, stats::Rng& rng) {
  std::vector<double> values;
  for (const Level& level : levels) {
    for (const double value : noise(level.n, rng)) values.push_back(level.value + value);
  }
  return values;
}

std::vector<std::size_t> places(const std::vector<LevelShift>& changes) {
  std::vector<std::size_t> at;
  for (const LevelShift& change : changes) at.push_back(change.at);
  return at;
}

// As the textbook has it, from the two samples.
double t_by_hand(const std::vector<double>& a, const std::vector<double>& b) {
  const double ma = stats::mean(a), mb = stats::mean(b);
  double squares = 0;
  for (const double value : a) squares += (value - ma) * (value - ma);
  for (const double value : b) squares += (value - mb) * (value - mb);
  const auto na = static_cast<double>(a.size()), nb = static_cast<double>(b.size());
  return (ma - mb) / std::sqrt(squares / (na + nb - 2) * (1 / na + 1 / nb));
}

double t_of_segment(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  std::vector<double> in, out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    (begin <= i && i < end ? in : out).push_back(values[i]);
  }
  return t_by_hand(in, out);
}

TEST(Shifts, AreWhatEverySplitTriedByHandGives) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    stats::Rng rng(seed);
    const std::vector<double> values = noise(12 + rng.below(12), rng);
    double best_split_t = 0, best_inner_t = 0;
    std::size_t splits = 0;
    for (std::size_t begin = 4; begin + 4 <= values.size(); ++begin) {
      for (std::size_t end = begin + 4; end <= values.size(); ++end) {
        const bool is_split = end == values.size();
        if (!is_split && end + 4 > values.size()) continue;
        splits += is_split ? 1 : 0;
        double& best = is_split ? best_split_t : best_inner_t;
        best = std::max(best, std::abs(t_of_segment(values, begin, end)));
      }
    }
    EXPECT_EQ(splits_of(values.size(), 4), splits);
    const auto t_of = [&](Episode segment) {
      const stats::MeanEstimate shift = shift_of(values, segment);
      EXPECT_EQ(shift.df, static_cast<double>(values.size()) - 2);
      return std::abs(shift.value / shift.se);
    };
    EXPECT_NEAR(t_of(best_split(values, 4).segment), best_split_t, 1e-9) << seed;
    EXPECT_NEAR(t_of(best_inner(values).segment), best_inner_t, 1e-9) << seed;
  }
}

TEST(Shifts, AValueFarOffHasNoSayInTheirPlace) {
  stats::Rng rng(11);
  std::vector<double> values = steps({{8, 0}, {8, 8}}, rng);
  values[14] = 100;
  EXPECT_EQ(place_of_shift(values), 8U);
  EXPECT_NE(best_split(values, 4).segment.begin, 8U) << "the squares of all values are drawn there";
}

// All orders of eight values, four of each level: by hand, those in which the best split stands out
// as much as in two levels without any doubt are 2 of 70.
TEST(RankTests, OrdersAreCountedAsTheyAre) {
  const std::vector<double> clear{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_FALSE(shown_split(clear, 0.02));
  EXPECT_TRUE(shown_split(clear, 0.04));
  EXPECT_EQ(shown_split(clear, 0.04)->begin, 4U);
  EXPECT_FALSE(shown_inner(clear, 0.5)) << "too short for a level between two";
}

TEST(RankTests, HowFarOffAValueLiesDoesNotMatter) {
  stats::Rng rng(13);
  std::vector<double> values = steps({{10, 0}, {10, 3}}, rng);
  const bool shown = shown_split(values, 0.01).has_value();
  *std::max_element(values.begin(), values.end()) = 1e6;
  EXPECT_EQ(shown_split(values, 0.01).has_value(), shown);
  EXPECT_TRUE(shown);
}

TEST(RankTests, SoManyValuesAreNeeded) {
  EXPECT_EQ(values_to_split(0.95), 10U);
  EXPECT_GT(values_to_split(1 - 0.05 / 8), 10U);
  for (const double level : {0.95, 0.99}) {
    const std::size_t n = values_to_split(level);
    std::vector<double> clear(n, 0);
    for (std::size_t i = 0; i < n; ++i) clear[i] = static_cast<double>(i < n / 2 ? i : 100 + i);
    EXPECT_FALSE(find_change_points(clear, level).steps.empty());
    clear.pop_back();
    EXPECT_THAT(find_change_points(clear, level).steps, IsEmpty());
  }
}

TEST(ChangePoints, ACleanStepIsFoundWhereItIs) {
  stats::Rng rng(3);
  const auto changes = find_change_points(steps({{8, 0}, {6, 12}}, rng)).steps;
  ASSERT_THAT(places(changes), ElementsAre(8U));
  EXPECT_NEAR(changes[0].shift.value, 12, 1.5);
  EXPECT_LE(changes[0].earliest, 8U);
  EXPECT_GE(changes[0].latest, 8U);
  EXPECT_LE(changes[0].latest - changes[0].earliest, 3U);
}

TEST(ChangePoints, ValuesWithoutScatterAreSplitExactly) {
  const std::vector<double> step{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2};
  EXPECT_THAT(places(find_change_points(step).steps), ElementsAre(6U));
  EXPECT_THAT(find_change_points(std::vector<double>(12, 1.5)).steps, IsEmpty());
}

TEST(ChangePoints, ARiseThatAFallTakesBackIsFound) {
  stats::Rng rng(5);
  const auto values = steps({{12, 0}, {6, 5}, {12, 0}}, rng);
  EXPECT_FALSE(shown_split(values, 0.025)) << "else a split alone would have found it";
  EXPECT_THAT(places(find_change_points(values).steps), ElementsAre(12U, 18U));
}

TEST(ChangePoints, SeveralStepsAreFound) {
  stats::Rng rng(7);
  const auto changes = find_change_points(steps({{14, 0}, {14, 8}, {14, 16}}, rng)).steps;
  EXPECT_THAT(places(changes), ElementsAre(14U, 28U));
  EXPECT_NEAR(changes[1].shift.value, 8, 1.5) << "the shift is against the level just before";
}

TEST(ChangePoints, ValuesFarOffAreAChangeOnceFourStayThere) {
  stats::Rng rng(9);
  EXPECT_THAT(find_change_points(steps({{15, 0}, {1, 15}}, rng)).steps, IsEmpty());
  EXPECT_THAT(find_change_points(steps({{14, 0}, {2, 15}}, rng)).steps, IsEmpty());
  EXPECT_THAT(places(find_change_points(steps({{12, 0}, {4, 15}}, rng)).steps), ElementsAre(12U));
}

TEST(ChangePoints, ABadRunHidesNoChange) {
  stats::Rng rng(15);
  std::vector<double> values = steps({{12, 0}, {12, 8}}, rng);
  values[20] = 60;
  const auto changes = find_change_points(values).steps;
  ASSERT_THAT(places(changes), ElementsAre(12U));
  EXPECT_LE(changes[0].earliest, 12U);
  EXPECT_GE(changes[0].latest, 12U);
}

TEST(ChangePoints, FewValuesHoldNone) {
  EXPECT_THAT(find_change_points(std::vector<double>{}).steps, IsEmpty());
  EXPECT_THAT(find_change_points(std::vector<double>{1, 1, 9}).steps, IsEmpty());
}

TEST(ChangePoints, SeriesShareTheErrorRateWhereTheyCanHaveAChange) {
  const auto level = [](std::vector<std::size_t> lengths) { return level_of_each(lengths, 0.95); };
  EXPECT_DOUBLE_EQ(level({16, 16, 3}), 0.975);
  EXPECT_DOUBLE_EQ(level({16}), 0.95);
  EXPECT_DOUBLE_EQ(level({9, 9, 8}), 0.975) << "the longest would be the first";
  EXPECT_DOUBLE_EQ(level({}), 0.95);
}

// Of 1000 series; the 99 % interval of the rate does not exclude what was promised.
constexpr std::size_t kSeries = 1000;

stats::Interval rate(std::size_t held) {
  return stats::clopper_pearson(held, kSeries, 0.99);
}

TEST(ChangePoints, SeriesWithoutAChangeKeepTheErrorRate) {
  for (const std::size_t n : {10U, 16U, 30U}) {
    std::size_t found = 0;
    for (uint64_t seed = 1; seed <= kSeries; ++seed) {
      stats::Rng rng(seed);
      found += !find_change_points(noise(n, rng)).steps.empty();
    }
    EXPECT_LE(rate(found).low, 0.05) << n << " values: " << found;
  }
}

// Student's t of one degree of freedom, which has no mean: every series has some that lie far off.
TEST(ChangePoints, HeavyTailsKeepTheErrorRate) {
  std::size_t found = 0;
  for (uint64_t seed = 1; seed <= kSeries; ++seed) {
    stats::Rng rng(seed);
    std::vector<double> values = noise(16, rng);
    for (double& value : values) value /= std::abs(rng.normal());
    found += !find_change_points(values).steps.empty();
  }
  EXPECT_LE(rate(found).low, 0.05) << found;
}

// How many of the series have a change where so many runs in a row are bad.
std::size_t found_with_bad_runs(std::size_t bad) {
  std::size_t found = 0;
  for (uint64_t seed = 1; seed <= kSeries; ++seed) {
    stats::Rng rng(seed);
    std::vector<double> values = noise(16, rng);
    const std::size_t at = rng.below(15);
    for (std::size_t i = 0; i < bad; ++i) values[at + i] += 20;
    found += !find_change_points(values).steps.empty();
  }
  return found;
}

TEST(ChangePoints, ABadRunIsNoChange) {
  const std::size_t found = found_with_bad_runs(1);
  EXPECT_LE(rate(found).low, 0.05) << found;
}

// They depend on each other, which the test does not know: of ten such series one has a change.
TEST(ChangePoints, TwoBadRunsInARowAreSeldomAChange) {
  const std::size_t found = found_with_bad_runs(2);
  EXPECT_LE(rate(found).low, 0.1) << found;
}

TEST(ChangePoints, NoMoreChangesAreFoundThanThereAre) {
  std::size_t more = 0;
  for (uint64_t seed = 1; seed <= kSeries; ++seed) {
    stats::Rng rng(seed);
    more += find_change_points(steps({{12, 0}, {12, 8}}, rng)).steps.size() > 1;
  }
  EXPECT_LE(rate(more).low, 0.05) << more;
}

TEST(ChangePoints, TheIntervalHoldsTheChange) {
  for (const double step : {3.0, 6.0}) {
    std::size_t found = 0, held = 0;
    for (uint64_t seed = 1; seed <= kSeries; ++seed) {
      stats::Rng rng(seed);
      const auto changes = find_change_points(steps({{10, 0}, {8, step}}, rng)).steps;
      if (changes.size() != 1) continue;
      ++found;
      held += changes[0].earliest <= 10 && 10 <= changes[0].latest;
    }
    EXPECT_GE(stats::clopper_pearson(held, found, 0.99).high, 0.95) << held << " of " << found;
  }
}

TEST(ChangePoints, TheSmallestStepIsFoundInFourOfFive) {
  for (const std::size_t n : {10U, 24U}) {
    std::size_t found = 0;
    for (uint64_t seed = 1; seed <= kSeries; ++seed) {
      stats::Rng rng(seed);
      const double step = smallest_step(n, 1);
      found += !find_change_points(steps({{n / 2, 0}, {n / 2, step}}, rng)).steps.empty();
    }
    EXPECT_GE(rate(found).high, 0.8) << n << " values: " << found;
    EXPECT_LE(rate(found).low, 0.97) << n << " values, a step that says little: " << found;
  }
}

}  // namespace
}  // namespace batchscope::compare
