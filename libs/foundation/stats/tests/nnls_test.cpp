#include "fits/nnls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "batchscope/stats/rng.hpp"

namespace batchscope::stats {
namespace {

double sum_of_squares(const std::vector<Equation>& equations,
                      const std::array<double, kMostColumns>& c) {
  double sum = 0.0;
  for (const Equation& e : equations) {
    const double left = e.row[0] * c[0] + e.row[1] * c[1] + e.row[2] * c[2] - e.target;
    sum += left * left;
  }
  return sum;
}

// The best point of a grid over [0, 2]^columns, refined around the best point six times.
double best_on_grid(const std::vector<Equation>& equations, std::size_t columns) {
  std::array<double, kMostColumns> centre = {1.0, 1.0, columns > 2 ? 1.0 : 0.0};
  double half = 1.0;
  double best = sum_of_squares(equations, centre);
  for (int level = 0; level < 24; ++level, half *= 0.6) {
    const auto around = centre;
    for (int i = -4; i <= 4; ++i) {
      for (int j = -4; j <= 4; ++j) {
        for (int k = columns > 2 ? -4 : 0; k <= (columns > 2 ? 4 : 0); ++k) {
          const std::array<double, kMostColumns> c = {std::max(0.0, around[0] + half * i / 4.0),
                                                      std::max(0.0, around[1] + half * j / 4.0),
                                                      std::max(0.0, around[2] + half * k / 4.0)};
          const double value = sum_of_squares(equations, c);
          if (value < best) {
            best = value;
            centre = c;
          }
        }
      }
    }
  }
  return best;
}

TEST(Nnls, IsAsGoodAsAGridSearch) {
  Rng rng(41);
  for (int round = 0; round < 100; ++round) {
    const std::size_t columns = 2 + static_cast<std::size_t>(rng.below(2));
    std::vector<Equation> equations(5);
    for (Equation& e : equations) {
      for (std::size_t i = 0; i < columns; ++i) e.row[i] = rng.normal();
      // Coefficients from -1 to 1: the bound is active in most rounds.
      e.target = e.row[0] * (2.0 * rng.uniform() - 1.0) + e.row[1] * 0.7 + 0.3 * rng.normal();
    }
    const auto solution = solve_non_negative(equations, columns);
    ASSERT_TRUE(solution.has_value());
    for (const double c : solution->coefficients) EXPECT_GE(c, 0.0);
    EXPECT_NEAR(solution->sum_of_squares, sum_of_squares(equations, solution->coefficients), 1e-12);
    EXPECT_LE(solution->sum_of_squares, best_on_grid(equations, columns) + 1e-9);
  }
}

TEST(Nnls, RecoversExactCoefficientsOfVeryDifferentSize) {
  std::vector<Equation> equations;
  for (const double x : {1.0, 2.0, 4.0, 512.0, 1024.0}) {
    equations.push_back({{1.0, x, x * x}, 3e4 + 0.02 * x + 5e-6 * x * x});
  }
  const auto solution = solve_non_negative(equations, 3);
  ASSERT_TRUE(solution.has_value());
  EXPECT_NEAR(solution->coefficients[0], 3e4, 1e-4);
  EXPECT_NEAR(solution->coefficients[1], 0.02, 1e-6);
  EXPECT_NEAR(solution->coefficients[2], 5e-6, 1e-9);
}

TEST(Nnls, DependentColumnsAreNotDividedByZero) {
  const std::vector<Equation> equations = {{{1.0, 2.0, 0.0}, 2.0}, {{2.0, 4.0, 0.0}, 4.0}};
  const auto solution = solve_non_negative(equations, 2);
  ASSERT_TRUE(solution.has_value());
  EXPECT_NEAR(solution->sum_of_squares, 0.0, 1e-20);
}

TEST(Nnls, TooFewEquations) {
  const std::vector<Equation> one = {{{1.0, 2.0, 0.0}, 2.0}};
  EXPECT_FALSE(solve_non_negative(one, 2).has_value());
}

}  // namespace
}  // namespace batchscope::stats
