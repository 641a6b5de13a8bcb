#include "batchscope/stats/law.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "batchscope/stats/rng.hpp"

namespace batchscope::stats {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;

const std::vector<double> kSizes = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};

std::vector<double> times_of(const Law& law, const std::vector<double>& x) {
  std::vector<double> t;
  for (const double size : x) t.push_back(law.evaluate(size));
  return t;
}

struct Known {
  const char* name;
  Law law;
};

class KnownLawTest : public ::testing::TestWithParam<Known> {};

TEST_P(KnownLawTest, IsRecoveredFromItsOwnTimes) {
  const Law& law = GetParam().law;
  const auto t = times_of(law, kSizes);
  const auto fit = fit_law(law.kind, kSizes, t);
  ASSERT_TRUE(fit.has_value());
  EXPECT_EQ(fit->kind, law.kind);
  EXPECT_THAT(fit->coefficients, Pointwise(DoubleNear(1e-6), law.coefficients));
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    EXPECT_NEAR(t[i] / fit->evaluate(kSizes[i]), 1.0, 1e-9);
  }
}

TEST_P(KnownLawTest, IsChosenAmongAllKinds) {
  const auto t = times_of(GetParam().law, kSizes);
  const auto choice = choose_law(kSizes, t);
  ASSERT_TRUE(choice.has_value());
  EXPECT_EQ(choice->best().law.kind, GetParam().law.kind);
  EXPECT_EQ(choice->candidates.size(), 4U);
}

INSTANTIATE_TEST_SUITE_P(
    Laws, KnownLawTest,
    ::testing::Values(Known{"affine", {LawKind::affine, {5.0, 2.0}}},
                      Known{"proportional", {LawKind::affine, {0.0, 2.0}}},
                      Known{"staircase", {LawKind::staircase, {3.0, 7.0, 4.0}}},
                      Known{"roofline", {LawKind::roofline, {10.0, 6.0, 1.0, 1.5}}},
                      Known{"two_segments", {LawKind::two_segments, {4.0, 1.0, 8.0, -6.0, 3.0}}}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(Law, AffineMinimizesTheRelativeErrorUnderItsBounds) {
  Rng rng(51);
  for (int round = 0; round < 50; ++round) {
    const std::vector<double> x = {1, 2, 4, 8};
    std::vector<double> t;
    // A negative intercept is common, so the bound is active often.
    for (const double size : x) {
      t.push_back((20.0 * rng.uniform() - 5.0 + 10.0 * size) * std::exp(0.1 * rng.normal()));
      t.back() = std::max(t.back(), 1.0);
    }
    const auto cost = [&](double a, double b) {
      double sum = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double relative = (a + b * x[i]) / t[i] - 1.0;
        sum += relative * relative;
      }
      return sum;
    };
    const auto fit = fit_law(LawKind::affine, x, t);
    ASSERT_TRUE(fit.has_value());
    const double a = fit->coefficients[0];
    const double b = fit->coefficients[1];
    EXPECT_GE(a, 0.0);
    EXPECT_GE(b, 0.0);
    for (const double da : {-1e-3, 0.0, 1e-3}) {
      for (const double db : {-1e-3, 0.0, 1e-3}) {
        EXPECT_LE(cost(a, b), cost(std::max(0.0, a + da), std::max(0.0, b + db)) + 1e-15);
      }
    }
  }
}

TEST(Law, OrderOfThePointsDoesNotMatter) {
  const std::vector<double> x = {8, 1, 4, 2, 6, 3, 12};
  const std::vector<double> t = {21, 7.2, 13, 9, 17.5, 11, 31};
  std::vector<double> reversed_x(x.rbegin(), x.rend());
  std::vector<double> reversed_t(t.rbegin(), t.rend());
  for (const LawKind kind : {LawKind::affine, LawKind::staircase, LawKind::roofline}) {
    const auto fit = fit_with_loo(kind, x, t);
    const auto reversed = fit_with_loo(kind, reversed_x, reversed_t);
    ASSERT_TRUE(fit && reversed);
    EXPECT_THAT(reversed->law.coefficients, Pointwise(DoubleNear(1e-9), fit->law.coefficients));
    std::vector<double> errors(reversed->loo_errors.rbegin(), reversed->loo_errors.rend());
    EXPECT_THAT(errors, Pointwise(DoubleNear(1e-9), fit->loo_errors));
  }
}

TEST(Law, LeaveOneOutErrorIsThatOfTheFitWithoutThePoint) {
  const std::vector<double> x = {1, 2, 4, 8, 16};
  const std::vector<double> t = {7, 9.5, 12, 25, 37};
  const auto fit = fit_with_loo(LawKind::affine, x, t);
  ASSERT_TRUE(fit.has_value());
  for (std::size_t left_out = 0; left_out < x.size(); ++left_out) {
    auto other_x = x;
    auto other_t = t;
    other_x.erase(other_x.begin() + static_cast<std::ptrdiff_t>(left_out));
    other_t.erase(other_t.begin() + static_cast<std::ptrdiff_t>(left_out));
    const auto law = fit_law(LawKind::affine, other_x, other_t);
    EXPECT_NEAR(fit->loo_errors[left_out], t[left_out] / law->evaluate(x[left_out]) - 1.0, 1e-12);
  }
}

TEST(Law, TheWorstPointIsThePlantedOne) {
  auto t = times_of({LawKind::affine, {5.0, 2.0}}, kSizes);
  t[4] *= 1.288;
  const auto fit = fit_with_loo(LawKind::affine, kSizes, t);
  ASSERT_TRUE(fit.has_value());
  EXPECT_EQ(fit->worst, 4U);
  EXPECT_NEAR(fit->loo_errors[4], 0.288, 1e-9);
}

TEST(Law, NoiseDoesNotBuyAComplexLaw) {
  Rng rng(52);
  int affine = 0;
  for (int round = 0; round < 200; ++round) {
    auto t = times_of({LawKind::affine, {5.0, 2.0}}, kSizes);
    for (double& value : t) value *= std::exp(0.01 * rng.normal());
    if (choose_law(kSizes, t)->best().law.kind == LawKind::affine) ++affine;
  }
  EXPECT_GE(affine, 150) << "of 200";
}

TEST(Law, FindsWideStepsOfRoundWidth) {
  std::vector<double> x;
  for (double size = 32.0; size <= 4096.0; size += 32.0) x.push_back(size);
  for (const double q : {96.0, 128.0, 192.0, 256.0, 512.0, 1024.0}) {
    const auto t = times_of({LawKind::staircase, {3.0, 7.0, q}}, x);
    const auto fit = fit_law(LawKind::staircase, x, t);
    ASSERT_TRUE(fit.has_value());
    EXPECT_EQ(fit->coefficients[2], q);
  }
}

// Property: however noisy the times, the choice keeps its rule.
TEST(Law, TheChoiceIsTheSimplestLawThatIsNotClearlyWorse) {
  Rng rng(53);
  for (int round = 0; round < 1000; ++round) {
    auto t = times_of({LawKind::two_segments, {4.0, 1.0, 8.0, 0.0, 1.7 * rng.uniform()}}, kSizes);
    for (double& value : t) value = (value + 0.1) * std::exp(0.15 * rng.uniform() * rng.normal());
    const auto choice = choose_law(kSizes, t);
    ASSERT_TRUE(choice.has_value());
    const LawFit& affine = choice->candidates[0];
    const LawFit& best = choice->best();
    if (best.law.kind != LawKind::affine) {
      EXPECT_LT(best.loo_rms, 0.9 * affine.loo_rms);
    }
    if (best.law.kind == LawKind::two_segments) {
      EXPECT_LT(best.bic, affine.bic);
    }
    for (std::size_t i = choice->chosen + 1; i < choice->candidates.size(); ++i) {
      const LawFit& other = choice->candidates[i];
      const bool barred = other.law.kind == LawKind::two_segments && other.bic >= affine.bic;
      EXPECT_TRUE(barred || other.loo_rms >= 0.9 * best.loo_rms);
    }
  }
}

TEST(Law, RoundingIsNoReasonToPreferAComplexLaw) {
  Rng rng(54);
  for (int round = 0; round < 200; ++round) {
    const auto t = times_of({LawKind::affine, {10.0 * rng.uniform(), rng.uniform()}}, kSizes);
    EXPECT_EQ(choose_law(kSizes, t)->best().law.kind, LawKind::affine);
  }
}

TEST(Law, FewSizesOnlyCarryAnAffineLaw) {
  const std::vector<double> x = {1, 2, 4, 8, 16};
  const std::vector<double> t = {5, 5, 6, 12, 24};
  EXPECT_FALSE(fit_law(LawKind::roofline, x, t).has_value());
  EXPECT_FALSE(fit_law(LawKind::staircase, x, t).has_value());
  EXPECT_FALSE(fit_law(LawKind::two_segments, x, t).has_value());
  EXPECT_EQ(choose_law(x, t)->candidates.size(), 1U);
}

TEST(Law, UnusableInputIsNoFit) {
  const std::vector<double> two = {1, 2};
  const std::vector<double> same = {2, 2};
  const std::vector<double> zero = {1, 0};
  const std::vector<double> infinite = {1, INFINITY};
  EXPECT_TRUE(fit_law(LawKind::affine, two, two).has_value());
  EXPECT_FALSE(fit_law(LawKind::affine, same, two).has_value());
  EXPECT_FALSE(fit_law(LawKind::affine, two, zero).has_value());
  EXPECT_FALSE(fit_law(LawKind::affine, two, infinite).has_value());
  EXPECT_FALSE(fit_law(LawKind::affine, two, kSizes).has_value());
  EXPECT_FALSE(fit_law(LawKind::affine, {}, {}).has_value());
  EXPECT_FALSE(choose_law(two, two).has_value());
}

}  // namespace
}  // namespace batchscope::stats
