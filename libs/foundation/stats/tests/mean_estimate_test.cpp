#include "batchscope/stats/mean_estimate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "student.hpp"
#include "yuen.hpp"

namespace batchscope::stats {
namespace {

const std::vector<double> kA = {3.1, 4.7, 1.2, 9.9, 5.5, 2.8, 4.1, 7.3};
const std::vector<double> kB = {6.0, 8.2, 7.7, 5.1, 9.6};

// Reference values from SciPy 1.17 (st.t, st.ttest_1samp, st.ttest_ind).

TEST(Student, TailsMatchSciPy) {
  EXPECT_NEAR(student_upper_tail(2.5, 4.3), 0.031224037318105666, 1e-12);
  EXPECT_NEAR(student_upper_quantile(1e-4, 7.7), 6.603757334378887, 1e-9);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(student_upper_tail(kInfinity, 3.0), 0.0);
  EXPECT_EQ(student_upper_tail(-kInfinity, 3.0), 1.0);
  EXPECT_EQ(student_upper_quantile(0.0, 3.0), kInfinity);
}

TEST(MeanEstimate, StudentIntervalAndPValuesMatchSciPy) {
  const auto interval = mean_interval(kA, 0.95, Method::student_t);
  ASSERT_TRUE(interval.has_value());
  EXPECT_NEAR(interval->mean, 4.825, 1e-12);
  EXPECT_NEAR(interval->low, 2.522524920017882, 1e-9);
  EXPECT_NEAR(interval->high, 7.1274750799821165, 1e-9);
  EXPECT_NEAR(interval->se, 0.9737171047075223, 1e-12);
  EXPECT_EQ(interval->df, 7.0);
  EXPECT_EQ(interval->n, 8U);
  EXPECT_EQ(interval->level, 0.95);
  const auto estimate = estimate_mean(kA, Method::student_t);
  EXPECT_NEAR(p_differs(*estimate, 4.0), 0.4248627263881679, 1e-10);
  EXPECT_NEAR(p_greater(*estimate, 4.0), 0.21243136319408396, 1e-10);
  EXPECT_NEAR(p_less(*estimate, 4.0), 0.787568636805916, 1e-10);
}

TEST(MeanEstimate, WelchMatchesSciPy) {
  const auto difference = estimate_difference(kA, kB, Method::student_t);
  ASSERT_TRUE(difference.has_value());
  EXPECT_NEAR(difference->df, 10.92769766307804, 1e-9);
  EXPECT_EQ(difference->n, 13U);
  const Interval interval = two_sided_interval(*difference, 0.95);
  EXPECT_NEAR(interval.low, -5.270416072256273, 1e-9);
  EXPECT_NEAR(interval.high, 0.28041607225627097, 1e-9);
  EXPECT_NEAR(p_differs(*difference), 0.07341566580018954, 1e-10);
}

TEST(MeanEstimate, YuenIsItsPublishedStatisticWithTheCalibratedReference) {
  std::vector<double> ascending = kA;
  std::sort(ascending.begin(), ascending.end());
  const PlainYuen plain = plain_yuen(ascending);
  EXPECT_NEAR(plain.trimmed_mean, 4.583333333333333, 1e-12);
  EXPECT_NEAR(plain.se, 0.9,
              1e-12);  // sqrt(7 * 3.4714285714 / (6 * 5)), the variance from SciPy's winsorize
  EXPECT_EQ(plain.df, 5.0);
  const YuenCalibration calibration = yuen_calibration(8);
  const auto estimate = estimate_mean(kA, Method::yuen_trimmed);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_NEAR(estimate->value, plain.trimmed_mean, 1e-12);
  EXPECT_NEAR(estimate->se, calibration.se_scale * plain.se, 1e-12);
  EXPECT_EQ(estimate->df, calibration.df);
}

TEST(MeanEstimate, PlainYuenDifferenceMatchesSciPy) {
  // st.ttest_ind(kA, kB, equal_var=False, trim=0.2).statistic combines the same two standard
  // errors.
  auto a = kA;
  auto b = kB;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const PlainYuen of_a = plain_yuen(a);
  const PlainYuen of_b = plain_yuen(b);
  EXPECT_NEAR((of_a.trimmed_mean - of_b.trimmed_mean) / std::hypot(of_a.se, of_b.se),
              -2.105584681481069, 1e-10);
}

TEST(MeanEstimate, YuenWithoutTrimmingIsStudent) {
  const std::vector<double> four = {1.0, 2.0, 4.0, 8.0};
  const auto yuen = estimate_mean(four, Method::yuen_trimmed);
  const auto student = estimate_mean(four, Method::student_t);
  EXPECT_NEAR(yuen->value, student->value, 1e-12);
  EXPECT_NEAR(yuen->se, student->se, 1e-12);
  EXPECT_EQ(yuen->df, student->df);
}

TEST(MeanEstimate, OneValueInADozenIsAnAccident) {
  std::vector<double> values{5, 11, 2, 8, 1, 10, 3, 1000, 7, 4, 9, 6};
  const auto estimate = estimate_but_accidents(values);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_NEAR(estimate->value, 6.5, 1e-12);
  // sqrt(11 * 11.181818 / (10 * 9)), the variance of 2, 2, 3, ..., 10, 11, 11.
  EXPECT_NEAR(estimate->se, 1.16904519445001, 1e-12);
  EXPECT_EQ(estimate->df, 9.0);
  EXPECT_EQ(estimate->n, 12U);
  values[0] = 1000;
  EXPECT_GT(estimate_but_accidents(values)->se, 50) << "two are none";
}

TEST(MeanEstimate, FewerThanADozenHaveNoAccident) {
  const auto estimate = estimate_but_accidents(kA);
  const auto student = estimate_mean(kA, Method::student_t);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_NEAR(estimate->value, student->value, 1e-12);
  EXPECT_NEAR(estimate->se, student->se, 1e-12);
  EXPECT_EQ(estimate->df, student->df);
  EXPECT_EQ(estimate->method, Method::student_t);
  EXPECT_FALSE(estimate_but_accidents(std::vector<double>{1}).has_value());
}

TEST(MeanEstimate, CalibrationCoversEverySizeWithoutAJump) {
  for (std::size_t n = 5; n <= 200; ++n) {
    const auto kept = static_cast<double>(n - 2 * (n / 5));
    const YuenCalibration calibration = yuen_calibration(n);
    EXPECT_GT(calibration.se_scale, 0.98) << n;
    EXPECT_LT(calibration.se_scale, 1.1) << n;
    EXPECT_GT(calibration.df, 0.8 * (kept - 1.0)) << n;
    EXPECT_LT(calibration.df, kept - 1.0) << n;
  }
}

TEST(MeanEstimate, TooFewValues) {
  const std::vector<double> one = {1.0};
  EXPECT_FALSE(estimate_mean({}).has_value());
  EXPECT_FALSE(mean_interval(one).has_value());
  EXPECT_FALSE(estimate_difference(kA, one).has_value());
  EXPECT_FALSE(estimate_difference(one, kA).has_value());
}

TEST(MeanEstimate, ValuesThatAgreeLeaveNoDoubt) {
  const std::vector<double> same(6, 0.5);
  for (const Method method : {Method::student_t, Method::yuen_trimmed}) {
    const auto estimate = estimate_mean(same, method);
    const Interval interval = two_sided_interval(*estimate, 0.95);
    EXPECT_EQ(interval.low, 0.5);
    EXPECT_EQ(interval.high, 0.5);
    EXPECT_EQ(p_differs(*estimate, 0.5), 1.0);
    EXPECT_EQ(p_differs(*estimate, 0.4), 0.0);
    EXPECT_EQ(p_greater(*estimate, 0.4), 0.0);
    EXPECT_EQ(p_greater(*estimate, 0.6), 1.0);
    EXPECT_EQ(p_outside_margin(*estimate, 0.4), 0.0);
    EXPECT_EQ(p_outside_margin(*estimate, 0.6), 1.0);
  }
}

// Property: whatever the sample, value and level, the interval excludes the null exactly when the
// test rejects it.
class IntervalMatchesTest : public ::testing::TestWithParam<Method> {
 protected:
  MeanEstimate random_estimate(Rng& rng) const {
    std::vector<double> values(2 + static_cast<std::size_t>(rng.below(20)));
    const double shift = 2.0 * rng.normal();
    for (double& value : values) value = shift + rng.normal();
    return *estimate_mean(values, GetParam());
  }
};

TEST_P(IntervalMatchesTest, TwoSidedAndOneSided) {
  Rng rng(21);
  for (int round = 0; round < 2000; ++round) {
    const MeanEstimate estimate = random_estimate(rng);
    const double alpha = std::exp(-7.0 * rng.uniform()) * 0.3;
    const double delta = rng.uniform() < 0.1 ? 0.0 : rng.uniform();
    const Interval two_sided = two_sided_interval(estimate, 1.0 - alpha);
    EXPECT_EQ(two_sided.contains(delta), p_differs(estimate, delta) >= alpha);
    EXPECT_EQ(lower_bound(estimate, 1.0 - alpha) > delta, p_greater(estimate, delta) < alpha);
    EXPECT_EQ(upper_bound(estimate, 1.0 - alpha) < delta, p_less(estimate, delta) < alpha);
  }
}

TEST_P(IntervalMatchesTest, MarginPValueIsTheSumOfBothTailsAtTheEdge) {
  Rng rng(23);
  for (int round = 0; round < 100; ++round) {
    const MeanEstimate estimate = random_estimate(rng);
    const double delta = rng.uniform();
    // Were the truth delta: the tail above the estimate, and the one below its mirror image.
    MeanEstimate size = estimate;
    size.value = std::abs(estimate.value);
    MeanEstimate mirrored = estimate;
    mirrored.value = -std::abs(estimate.value);
    EXPECT_NEAR(p_outside_margin(estimate, delta), p_greater(size, delta) + p_less(mirrored, delta),
                1e-12);
  }
}

TEST_P(IntervalMatchesTest, MarginOfZeroIsTheTwoSidedTest) {
  Rng rng(22);
  for (int round = 0; round < 100; ++round) {
    const MeanEstimate estimate = random_estimate(rng);
    EXPECT_NEAR(p_outside_margin(estimate, 0.0), p_differs(estimate), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, IntervalMatchesTest,
                         ::testing::Values(Method::student_t, Method::yuen_trimmed));

}  // namespace
}  // namespace batchscope::stats
