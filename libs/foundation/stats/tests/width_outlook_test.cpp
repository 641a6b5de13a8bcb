#include "batchscope/stats/width_outlook.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::stats {
namespace {

constexpr double kLevel = 0.95;

double half_width(const std::vector<double>& values) {
  const auto interval = mean_interval(values, kLevel, Method::student_t);
  return 0.5 * (interval->high - interval->low);
}

std::vector<double> drawn(Rng& rng, int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& value : values) value = rng.normal();
  return values;
}

TEST(WidthOutlook, OfAsManyValuesIsTheWidthItself) {
  const WidthOutlook same = width_outlook(0.1, 6, 6, kLevel, 0.99);
  EXPECT_NEAR(same.likely, 0.1, 1e-12);
  EXPECT_LT(same.at_least, same.likely);
}

// By hand: t(0.975; 3) = 3.1824, t(0.975; 11) = 2.2010; chi2(0.99; 3) = 11.3449.
TEST(WidthOutlook, FollowsStudentAndChiSquared) {
  const WidthOutlook seen = width_outlook(0.1, 4, 12, kLevel, 0.99);
  EXPECT_NEAR(seen.likely, 0.1 * 2.2010 / 3.1824 * std::sqrt(4.0 / 12.0), 1e-5);
  EXPECT_NEAR(seen.at_least, seen.likely * std::sqrt(3.0 / 11.3449), 1e-5);
}

// The spread of normal values is below the bound as often as it says.
TEST(WidthOutlook, ABoundHoldsAsOftenAsItSays) {
  Rng rng(11);
  constexpr int kTries = 4000;
  // What 12 values of this spread come to, in the mean over many.
  const double truth = 2.2010 / std::sqrt(12.0);
  int above = 0;
  for (int i = 0; i < kTries; ++i) {
    const WidthOutlook seen = width_outlook(half_width(drawn(rng, 4)), 4, 12, kLevel, 0.99);
    if (seen.at_least > truth) ++above;
  }
  EXPECT_NEAR(static_cast<double>(above) / kTries, 0.01, 0.005);
}

}  // namespace
}  // namespace batchscope::stats
