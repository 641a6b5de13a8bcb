#include "batchscope/stats/power.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::stats {
namespace {

std::vector<double> sample(std::size_t n, double mean, Rng& rng) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(mean + rng.normal());
  return values;
}

// What one experiment states is planted in another one.
TEST(Power, WhatIsCalledDetectableIsShownAsOftenAsStated) {
  constexpr std::size_t kSamples = 4000;
  for (const double power : {0.8, 0.9}) {
    for (const std::size_t n : {6U, 12U, 40U}) {
      std::size_t shown = 0;
      for (uint64_t seed = 1; seed <= kSamples; ++seed) {
        Rng rng(seed);
        const auto first = *estimate_mean(sample(n, 0, rng), Method::student_t);
        const double truth = smallest_detectable(first, 0.01, power);
        const auto second = *estimate_mean(sample(n, truth, rng), Method::student_t);
        shown += p_greater(second) < 0.01;
      }
      const Interval rate = clopper_pearson(shown, kSamples, 0.99);
      EXPECT_GE(rate.high, power - 0.01) << n << ": " << shown;
      EXPECT_LE(rate.low, power + 0.02) << n << ": " << shown;
    }
  }
}

TEST(Power, IsFiniteWhereHardlyAnythingIsKnown) {
  MeanEstimate two;
  two.se = 1;
  two.df = 1;
  two.method = Method::student_t;
  EXPECT_TRUE(std::isfinite(smallest_detectable(two, 0.05, 0.9)));
}

TEST(Power, NothingHidesWithoutScatter) {
  EXPECT_EQ(smallest_detectable(MeanEstimate{}, 0.05, 0.8), 0);
}

}  // namespace
}  // namespace batchscope::stats
