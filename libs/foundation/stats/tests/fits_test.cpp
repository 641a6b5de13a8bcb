// How laws are fitted: sums against the points one by one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "fits/fit_kinds.hpp"
#include "fits/weighted_sums.hpp"

namespace batchscope::stats {
namespace {

std::vector<Point> drawn(Rng& rng, std::size_t n) {
  std::vector<Point> points;
  double x = 0;
  for (std::size_t i = 0; i < n; ++i) {
    x += 1 + static_cast<double>(rng.below(5));
    points.push_back({x, (1 + x) * (0.5 + rng.uniform())});
  }
  return points;
}

TEST(WeightedSums, TellTheSquaresFromARoof) {
  Rng rng(3);
  for (int round = 0; round < 500; ++round) {
    const auto points = drawn(rng, 3 + rng.below(30));
    const double launch = rng.below(3) == 0 ? 0 : 40 * rng.uniform();
    const Coefficients line = {20 * rng.uniform(), rng.below(3) == 0 ? 0 : 2 * rng.uniform()};
    const double c = rng.below(3) == 0 ? 0 : 2 * rng.uniform();
    double squares = 0;
    for (const auto& [x, t] : points) {
      squares += std::pow(std::max({launch, line.a + line.b * x, c * x}) / t - 1, 2);
    }
    EXPECT_NEAR(PartsOfPoints(points).squares_from_roof(launch, line, c), squares,
                1e-9 * (1 + squares))
        << "round " << round;
  }
}

TEST(WeightedSums, FitTheLineThatNoOtherBeats) {
  Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    WeightedSums sums;
    for (const auto& [x, t] : drawn(rng, 2 + rng.below(9))) sums.add(x, t);
    const auto line = fit_line(sums);
    ASSERT_TRUE(line.has_value());
    const double least = sums.squares_from(line->a, line->b);
    for (int other = 0; other < 50; ++other) {
      const double a = line->a + 0.2 * (rng.uniform() - 0.5);
      const double b = line->b + 0.02 * (rng.uniform() - 0.5);
      if (a < 0 || b < 0) continue;
      EXPECT_GE(sums.squares_from(a, b), least - 1e-9);
    }
  }
}

TEST(WeightedSums, OfOneSizeHaveNoLine) {
  WeightedSums sums;
  for (const double t : {3.0, 4.0, 5.0}) sums.add(7, t);
  EXPECT_FALSE(fit_line(sums).has_value());
}

TEST(Staircases, WithoutAPointAreThoseOfTheOthers) {
  Rng rng(9);
  for (int round = 0; round < 60; ++round) {
    const auto points = drawn(rng, 4 + rng.below(8));
    const Staircases staircases(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      auto others = points;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const auto full = fit_staircase(others);
      const auto fit = staircases.fit(others, points[i]);
      ASSERT_TRUE(fit.has_value() && full.has_value());
      EXPECT_EQ(fit->law.coefficients, full->law.coefficients);
    }
  }
}

TEST(Roofline, OfHundredsOfSizesIsFoundWhereverItBends) {
  Rng rng(11);
  for (int round = 0; round < 40; ++round) {
    const double first = 20 + 150 * rng.uniform(), second = first + 20 + 250 * rng.uniform();
    const Law law = {LawKind::roofline, {10 + first, 10, 1, 1 + 10 / second}};
    std::vector<Point> points;
    for (double x = 1; x <= 512; ++x) points.push_back({x, law.evaluate(x)});
    const auto fit = fit_roofline(points);
    ASSERT_TRUE(fit.has_value());
    EXPECT_LT(std::sqrt(fit->sum_of_squares / 512), 1e-4) << "round " << round;
  }
}

}  // namespace
}  // namespace batchscope::stats
