#include "batchscope/stats/trend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::stats {
namespace {

using Series = std::vector<double>;

Series series(std::size_t n, const std::function<double(std::size_t)>& value) {
  Series made(n);
  for (std::size_t i = 0; i < n; ++i) made[i] = value(i);
  return made;
}

Series autoregressive(double rho, std::size_t n, uint64_t seed) {
  Rng rng(seed);
  double at = rng.normal() / std::sqrt(1 - rho * rho);
  return series(n, [&](std::size_t) { return at = rho * at + rng.normal(); });
}

Series walk(std::size_t n, uint64_t seed) {
  Rng rng(seed);
  double at = 0;
  return series(n, [&](std::size_t) { return at += rng.normal(); });
}

TEST(Trend, OfALine) {
  const Series line = series(10, [](std::size_t i) { return 3.0 + 2.0 * static_cast<double>(i); });
  const auto test = mann_kendall(line);
  ASSERT_TRUE(test);
  EXPECT_EQ(test->s, 45);
  EXPECT_NEAR(test->z, 44 / std::sqrt(125.0), 1e-12);  // var = 10 * 9 * 25 / 18
  EXPECT_NEAR(p_rises(*test), 4.15e-5, 1e-6);
  EXPECT_NEAR(theil_sen(line)->a_step, 2, 1e-12);
  EXPECT_EQ(drift_score(line), INFINITY);
}

// Groups of equal values make the variance smaller.
TEST(Trend, AllowsForEqualValues) {
  const Series values{23, 24, 29, 6, 29, 24, 24, 29, 23, 25};
  double s = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      s += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
    }
  }
  const auto test = mann_kendall(values);
  EXPECT_EQ(test->s, s);
  // 2 x 23, 3 x 24, 3 x 29: (10*9*25 - 2*1*9 - 2 * 3*2*11) / 18.
  const double variance = (2250.0 - 18 - 132) / 18;
  EXPECT_NEAR(test->z, (s > 0 ? s - 1 : s + 1) / std::sqrt(variance * test->inflation), 1e-12);
  EXPECT_EQ(mann_kendall(Series(20, 5.0))->z, 0);
}

TEST(Trend, NeedsEightValues) {
  EXPECT_FALSE(mann_kendall(Series(7, 1.0)));
  EXPECT_FALSE(theil_sen(Series(7, 1.0)));
  EXPECT_EQ(drift_score(Series{1, 2, 3, 4, 5, 6, 7}), 0);
}

TEST(Trend, SlopeIsTheMedianOfAllPairs) {
  Rng rng(5);
  const Series values = series(15, [&](std::size_t) { return rng.uniform(); });
  Series slopes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      slopes.push_back((values[j] - values[i]) / static_cast<double>(j - i));
    }
  }
  EXPECT_NEAR(theil_sen(values)->a_step, median(slopes), 1e-12);
}

// Both within what 2000 series can tell: 95 % and 1 %, give or take 3 standard errors.
TEST(Trend, IntervalHoldsTheSlope) {
  int inside = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    const Series values =
        series(30, [&](std::size_t i) { return 0.1 * static_cast<double>(i) + rng.normal(); });
    inside += theil_sen(values)->interval.contains(0.1) ? 1 : 0;
  }
  EXPECT_NEAR(inside / 2000.0, 0.95, 0.015);
}

double share_called_rising(const std::function<Series(uint64_t)>& draw, double alpha) {
  int called = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    called += p_rises(*mann_kendall(draw(seed))) < alpha ? 1 : 0;
  }
  return called / 2000.0;
}

TEST(Trend, KeepsItsErrorRateUnderNoise) {
  EXPECT_LE(share_called_rising([](uint64_t seed) { return autoregressive(0, 60, seed); }, 0.05),
            0.065);
  // The correction does not make it exact; without it this rate is 19 %.
  EXPECT_LE(share_called_rising([](uint64_t seed) { return autoregressive(0.6, 60, seed); }, 0.05),
            0.15);
}

TEST(Trend, DriftScoreTellsALineFromARandomWalk) {
  int walks = 0, lines = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    walks += drift_score(walk(64, seed)) > 3 ? 1 : 0;
    Rng rng(seed);
    const Series line =
        series(64, [&](std::size_t i) { return 0.4 * static_cast<double>(i) + rng.normal(); });
    lines += drift_score(line) > 3 ? 1 : 0;
  }
  EXPECT_LE(walks, 20);
  EXPECT_GE(lines, 950);
}

TEST(Trend, VonNeumannRatioTellsNoiseFromARandomWalk) {
  EXPECT_NEAR(von_neumann_ratio(Series{0, 1, 0, 1, 0, 1, 0, 1}, 0), 7 / 2.0, 1e-12);
  int walks = 0, lines = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    const Series wandering = walk(40, seed);
    walks += 40 * von_neumann_ratio(wandering, theil_sen(wandering)->a_step) > 47 ? 1 : 0;
    const Series line = autoregressive(0, 40, seed);
    lines += 40 * von_neumann_ratio(line, theil_sen(line)->a_step) > 47 ? 1 : 0;
  }
  EXPECT_LE(walks, 20);
  EXPECT_GE(lines, 980);
}

// Of 400 lines with AR(1) noise, how many intervals have the slope in them.
double coverage(double correlation, std::size_t n) {
  constexpr int kLines = 400;
  int covered = 0;
  for (int line = 0; line < kLines; ++line) {
    Rng rng(static_cast<uint64_t>(line) + 1);
    double state = rng.normal();
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
      values.push_back(0.1 * static_cast<double>(i) + state);
      state = correlation * state + std::sqrt(1 - correlation * correlation) * rng.normal();
    }
    const double slope = theil_sen(values)->a_step;
    covered += interval_by_neighbours(values, slope).contains(0.1) ? 1 : 0;
  }
  return static_cast<double>(covered) / kLines;
}

TEST(IntervalByNeighbours, HoldsTheSlope) {
  for (const double correlation : {0.0, 0.3, 0.6, 0.9}) {
    for (const std::size_t n : {24U, 40U, 64U}) {
      const double least = correlation < 0.9 ? 0.92 : 0.84;  // of 24 values 2 count
      EXPECT_GE(coverage(correlation, n), least) << correlation << ", " << n;
    }
  }
}

// Of noise that neighbours share to 0.8, with a standard deviation of 1: a line is known by 7
// values.
TEST(IntervalByNeighbours, IsNoWiderThanTheNoiseAllows) {
  std::vector<double> widths;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Rng rng(seed);
    double state = rng.normal();
    std::vector<double> values;
    for (int i = 0; i < 64; ++i) {
      values.push_back(state);
      state = 0.8 * state + 0.6 * rng.normal();
    }
    widths.push_back(interval_by_neighbours(values, 0).half_width());
  }
  const double known = 1.96 * std::sqrt(9 / (64.0 * 64 * 64 / 12));
  EXPECT_GT(median(widths), known);
  EXPECT_LT(median(widths), 3 * known);
}

TEST(IntervalByNeighbours, IsNarrowWithoutNoise) {
  std::vector<double> line, bent;
  for (int i = 0; i < 30; ++i) {
    line.push_back(1e10 + 1e5 * i);
    bent.push_back(1e10 + 1e5 * i * i);
  }
  EXPECT_NEAR(interval_by_neighbours(line, 1e5).half_width(), 0, 1);
  EXPECT_NEAR(interval_by_neighbours(bent, 1e5).half_width(), 0, 1);
  EXPECT_EQ(inflation_by_neighbours(std::vector<double>{1, 2, 1}), 1);
}

}  // namespace
}  // namespace batchscope::stats
