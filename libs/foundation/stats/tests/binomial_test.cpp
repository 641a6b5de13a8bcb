#include "batchscope/stats/binomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace batchscope::stats {
namespace {

// P(B = 0), ..., P(B = n) for B binomial, by Pascal's recurrence: nothing shared with the code
// under test.
std::vector<double> binomial_pmf(std::size_t n, double p) {
  std::vector<double> pmf = {1.0};
  for (std::size_t trial = 0; trial < n; ++trial) {
    pmf.push_back(0.0);
    for (std::size_t k = pmf.size(); k-- > 0;) {
      pmf[k] = pmf[k] * (1.0 - p) + (k > 0 ? pmf[k - 1] * p : 0.0);
    }
  }
  return pmf;
}

double sum_range(const std::vector<double>& pmf, std::size_t first, std::size_t last) {
  double sum = 0.0;
  for (std::size_t k = first; k < last; ++k) sum += pmf[k];
  return sum;
}

TEST(ClopperPearson, MatchesSciPy) {
  // scipy.stats.binomtest(k, n).proportion_ci(level, "exact"), SciPy 1.17.
  const Interval some = clopper_pearson(3, 10, 0.95);
  EXPECT_NEAR(some.low, 0.06673951117773447, 1e-10);
  EXPECT_NEAR(some.high, 0.652452850060008, 1e-10);
  const Interval rare = clopper_pearson(47, 1000, 0.99);
  EXPECT_NEAR(rare.low, 0.03145321283871692, 1e-10);
  EXPECT_NEAR(rare.high, 0.0670118586529733, 1e-10);
  EXPECT_NEAR(clopper_pearson_lower(3, 10, 0.95), 0.08726443391415033, 1e-10);
  EXPECT_NEAR(clopper_pearson_upper(3, 10, 0.95), 0.6066242161055765, 1e-10);
}

TEST(ClopperPearson, EndsWhereNothingOrEverythingWasSeen) {
  const Interval none = clopper_pearson(0, 10, 0.95);
  EXPECT_EQ(none.low, 0.0);
  EXPECT_NEAR(none.high, 0.30849710781876294, 1e-10);
  const Interval all = clopper_pearson(10, 10, 0.95);
  EXPECT_NEAR(all.low, 0.6915028921812371, 1e-10);
  EXPECT_EQ(all.high, 1.0);
  const Interval no_trials = clopper_pearson(0, 0, 0.95);
  EXPECT_EQ(no_trials.low, 0.0);
  EXPECT_EQ(no_trials.high, 1.0);
}

TEST(QuantileRanks, EqualBruteForceOnSmallSamples) {
  for (const double p : {0.1, 0.25, 0.5, 0.8, 0.9}) {
    for (std::size_t n = 1; n <= 60; ++n) {
      const auto pmf = binomial_pmf(n, p);
      std::size_t low = 0;
      for (std::size_t rank = 1; rank <= n; ++rank) {
        if (sum_range(pmf, 0, rank) <= 0.025) low = rank;
      }
      std::size_t high = n + 1;
      for (std::size_t rank = n; rank >= 1; --rank) {
        if (sum_range(pmf, rank, n + 1) <= 0.025) high = rank;
      }
      const auto ranks = quantile_ranks(n, p, 0.95);
      ASSERT_EQ(ranks.has_value(), low >= 1 && high <= n) << "n " << n << " p " << p;
      if (!ranks) continue;
      EXPECT_EQ(ranks->low, low);
      EXPECT_EQ(ranks->high, high);
      EXPECT_GE(sum_range(pmf, low, high), 0.95);
    }
  }
}

TEST(QuantileRanks, SmallestSamplesAreTheKnownOnes) {
  EXPECT_FALSE(quantile_ranks(35, 0.9, 0.95).has_value());
  EXPECT_TRUE(quantile_ranks(36, 0.9, 0.95).has_value());
  EXPECT_FALSE(quantile_ranks(367, 0.99, 0.95).has_value());
  EXPECT_TRUE(quantile_ranks(368, 0.99, 0.95).has_value());
  EXPECT_EQ(quantile_sample_size(0.9), 36U);
  EXPECT_EQ(quantile_sample_size(0.99), 368U);
  EXPECT_EQ(quantile_sample_size(0.1), 36U);
  EXPECT_EQ(quantile_sample_size(0.5), 6U);
}

TEST(Divergence, BoundsTheTailOfTheBinomial) {
  for (const double p : {0.05, 0.5, 0.9}) {
    const std::vector<double> pmf = binomial_pmf(40, p);
    for (std::size_t k = 1; k <= 40; ++k) {
      const double share = static_cast<double>(k) / 40;
      if (share < p) continue;
      const double tail = sum_range(pmf, k, 41), bound = std::exp(-40 * divergence(share, p));
      EXPECT_LE(tail, bound * (1 + 1e-12)) << k << " of 40 at " << p;
      EXPECT_GE(tail, bound / (2 * std::sqrt(40.0))) << k << " of 40 at " << p;
    }
  }
  // scipy.stats.entropy([0.3, 0.7], [0.5, 0.5]), SciPy 1.17.
  EXPECT_NEAR(divergence(0.3, 0.5), 0.08228287850505178, 1e-15);
  EXPECT_EQ(divergence(0.25, 0.25), 0);
  EXPECT_NEAR(divergence(1, 0.5), std::log(2.0), 1e-15);
  EXPECT_TRUE(std::isinf(divergence(0.5, 1)));
}

}  // namespace
}  // namespace batchscope::stats
