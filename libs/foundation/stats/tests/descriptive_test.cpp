#include "batchscope/stats/descriptive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trimming.hpp"

namespace batchscope::stats {
namespace {

const std::vector<double> kValues = {3.1, 4.7, 1.2, 9.9, 5.5, 2.8, 4.1, 7.3};

// Reference values from NumPy 2.4 and SciPy 1.17 (np.quantile, st.trim_mean, mstats.winsorize,
// st.median_abs_deviation with scale="normal").

TEST(Descriptive, MeanAndVarianceMatchNumPy) {
  EXPECT_NEAR(mean(kValues), 4.825, 1e-12);
  EXPECT_NEAR(variance(kValues), 7.585, 1e-12);
}

TEST(Descriptive, QuantilesFollowDefinitionSeven) {
  EXPECT_NEAR(quantile(kValues, 0.1), 2.32, 1e-12);
  EXPECT_NEAR(quantile(kValues, 0.9), 8.08, 1e-12);
  EXPECT_EQ(quantile(kValues, 0.0), 1.2);
  EXPECT_EQ(quantile(kValues, 1.0), 9.9);
  const std::vector<double> one = {7.0};
  EXPECT_EQ(quantile(one, 0.3), 7.0);
}

TEST(Descriptive, MedianOfOddAndEvenCountsIsTheMiddleQuantile) {
  const std::vector<double> odd = {5.0, 1.0, 9.0};
  EXPECT_EQ(median(odd), 5.0);
  EXPECT_NEAR(median(kValues), quantile(kValues, 0.5), 1e-12);
}

TEST(Descriptive, TrimmedMeanAndWinsorizedVarianceMatchSciPy) {
  std::vector<double> ascending = kValues;
  std::sort(ascending.begin(), ascending.end());
  EXPECT_NEAR(trimmed_mean_of_sorted(ascending, 0.2), 4.583333333333333, 1e-12);
  EXPECT_NEAR(winsorized_variance_of_sorted(ascending, 0.2), 3.471428571428571, 1e-12);
  EXPECT_NEAR(trimmed_mean_of_sorted(ascending, 0.0), mean(kValues), 1e-12);
  EXPECT_NEAR(winsorized_variance_of_sorted(ascending, 0.0), variance(kValues), 1e-12);
}

TEST(Descriptive, TrimCountIsExactWhereTheProductIsFull) {
  EXPECT_EQ(trim_count(4, 0.2), 0U);
  EXPECT_EQ(trim_count(5, 0.2), 1U);
  EXPECT_EQ(trim_count(9, 0.2), 1U);
  EXPECT_EQ(trim_count(15, 0.2), 3U);
  EXPECT_EQ(trim_count(100, 0.29), 29U);  // 0.29 * 100 is 28.999999999999996
}

TEST(Descriptive, RobustSpreadMatchesSciPy) {
  EXPECT_NEAR(robust_std(kValues), 2.1497732168331236, 1e-12);
}

TEST(Descriptive, VarianceKeepsItsDigitsBesideALargeMean) {
  // A sum of squares would lose all of them: (1e9)^2 has a spacing of 128.
  const std::vector<double> values = {1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0};
  EXPECT_NEAR(variance(values), 30.0, 1e-9);
}

TEST(Descriptive, TooLittleDataIsNotANumber) {
  const std::vector<double> one = {1.0};
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
  EXPECT_TRUE(std::isnan(quantile(one, 1.5)));
  EXPECT_TRUE(std::isnan(variance(one)));
  EXPECT_TRUE(std::isnan(RunningMoments().mean()));
}

TEST(WeightedQuantile, IsThePlainOneWhereAllWeighAlike) {
  const std::vector<double> values{1, 2, 4, 8, 16}, alike(5, 0.3);
  for (const double p : {0.0, 0.1, 0.5, 0.9, 0.99, 1.0}) {
    EXPECT_NEAR(weighted_quantile(values, alike, p), sorted_quantile(values, p), 1e-12) << p;
  }
}

TEST(WeightedQuantile, IsNotMovedByHowOftenTheSameIsDistinguished) {
  // Half of the weight is at 10, however few samples hold it.
  const std::vector<double> values{1, 1, 1, 1, 1, 1, 1, 1, 10, 10};
  std::vector<double> weights(8, 1.0 / 8);
  weights.insert(weights.end(), 2, 1.0 / 2);
  EXPECT_EQ(weighted_quantile(values, weights, 0.95), 10);
  EXPECT_EQ(weighted_quantile(values, weights, 0.25), 1);
  EXPECT_LT(sorted_quantile(values, 0.75), 2);
  EXPECT_TRUE(std::isnan(weighted_quantile(values, {}, 0.5)));
}

}  // namespace
}  // namespace batchscope::stats
