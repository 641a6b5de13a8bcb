#include "batchscope/stats/scalability.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace batchscope::stats {
namespace {

std::vector<double> throughput_of(const ScalabilityLaw& law, const std::vector<double>& workers) {
  std::vector<double> throughput;
  for (const double n : workers) throughput.push_back(law.evaluate(n));
  return throughput;
}

const std::vector<double> kWorkers = {1, 2, 4, 8, 16};

TEST(Scalability, RecoversAKnownLawAndItsPeak) {
  const ScalabilityLaw law{100.0, 0.05, 0.002, 0.0};
  const auto fit = fit_scalability(kWorkers, throughput_of(law, kWorkers));
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->lambda, 100.0, 1e-8);
  EXPECT_NEAR(fit->sigma, 0.05, 1e-9);
  EXPECT_NEAR(fit->kappa, 0.002, 1e-10);
  EXPECT_NEAR(fit->rms_residual, 0.0, 1e-10);
  const auto peak = fit->peak();
  ASSERT_TRUE(peak.has_value());
  EXPECT_NEAR(*peak, 21.794494717703367, 1e-6);  // sqrt(0.95 / 0.002)
  EXPECT_LT(fit->evaluate(*peak - 1.0), fit->evaluate(*peak));
  EXPECT_LT(fit->evaluate(*peak + 1.0), fit->evaluate(*peak));
}

TEST(Scalability, PerfectAndSuperlinearScalingHaveNoPeak) {
  const std::vector<double> linear = {10, 20, 40, 80, 160};
  const std::vector<double> superlinear = {10, 22, 50, 110, 250};
  for (const auto& throughput : {linear, superlinear}) {
    const auto fit = fit_scalability(kWorkers, throughput);
    ASSERT_TRUE(fit.has_value());
    EXPECT_NEAR(fit->sigma, 0.0, 1e-9);
    EXPECT_NEAR(fit->kappa, 0.0, 1e-9);
    EXPECT_FALSE(fit->kappa > 1e-9 && fit->peak().has_value());
  }
}

TEST(Scalability, PeakIsNeverBelowOneWorker) {
  const ScalabilityLaw law{1.0, 1.2, 0.5, 0.0};
  EXPECT_EQ(law.peak(), 1.0);
}

TEST(Scalability, NeedsThreeWorkerCountsAndPositiveThroughput) {
  const std::vector<double> two = {1, 2, 2};
  const std::vector<double> three = {1, 2, 3};
  const std::vector<double> below_one = {0.5, 2, 3};
  const std::vector<double> good = {10, 18, 25};
  const std::vector<double> bad = {10, 0, 25};
  EXPECT_TRUE(fit_scalability(three, good).has_value());
  EXPECT_FALSE(fit_scalability(two, good).has_value());
  EXPECT_FALSE(fit_scalability(three, bad).has_value());
  EXPECT_FALSE(fit_scalability(below_one, good).has_value());
  EXPECT_FALSE(fit_scalability({}, {}).has_value());
}

}  // namespace
}  // namespace batchscope::stats
