#include "batchscope/stats/power.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::stats {
namespace {

TEST(Power, ATruthOfThatSizeIsShownInFourOfFive) {
  constexpr std::size_t kSamples = 4000;
  for (const std::size_t n : {6U, 12U}) {
    MeanEstimate exact;
    exact.se = 1 / std::sqrt(static_cast<double>(n));
    exact.df = static_cast<double>(n) - 1;
    exact.method = Method::student_t;
    const double truth = shown_in_four_of_five(exact, 0.01);
    std::size_t shown = 0;
    for (uint64_t seed = 1; seed <= kSamples; ++seed) {
      Rng rng(seed);
      std::vector<double> values;
      for (std::size_t i = 0; i < n; ++i) values.push_back(truth + rng.normal());
      shown += p_greater(*estimate_mean(values, Method::student_t)) < 0.01;
    }
    const Interval rate = clopper_pearson(shown, kSamples, 0.99);
    EXPECT_GE(rate.high, 0.79) << n << ": " << shown;
    EXPECT_LE(rate.low, 0.81) << n << ": " << shown;
  }
}

TEST(Power, NothingHidesWithoutScatter) {
  EXPECT_EQ(shown_in_four_of_five(MeanEstimate{}, 0.05), 0);
}

}  // namespace
}  // namespace batchscope::stats
