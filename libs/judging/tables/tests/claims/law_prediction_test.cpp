#include "claims/law_prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <string>

namespace batchscope::tables {
namespace {

constexpr SizeSet kAllOfSix = 0b111111;
const std::vector<double> kSizes = {1, 2, 3, 4, 6, 8};

std::vector<double> times_of(const std::function<double(double)>& law) {
  std::vector<double> times;
  for (const double size : kSizes) times.push_back(law(size));
  return times;
}

double predicted(CurveLaw kind, const std::vector<double>& times, SizeSet fitted,
                 std::size_t target) {
  const auto prediction = predict(kind, {kSizes, times}, fitted, target);
  return prediction ? std::exp(prediction->log_time) : std::nan("");
}

TEST(LawPrediction, ReadsOffASizeThatWasLeftOut) {
  const auto affine = times_of([](double x) { return 5 + 2 * x; });
  for (std::size_t s = 0; s < kSizes.size(); ++s) {
    EXPECT_NEAR(predicted(CurveLaw::affine, affine, kAllOfSix & ~(1u << s), s), affine[s], 1e-9);
  }
}

TEST(LawPrediction, FitsStairsAndRoofsExactly) {
  const auto stairs = times_of([](double x) { return 4 + 3 * std::ceil(x / 4); });
  const auto roof = times_of([](double x) { return std::max({10.0, 4 + 2 * x, 3.2 * x}); });
  for (std::size_t s = 0; s < kSizes.size(); ++s) {
    EXPECT_NEAR(predicted(CurveLaw::staircase, stairs, kAllOfSix, s), stairs[s], 1e-9);
    EXPECT_NEAR(predicted(CurveLaw::roofline, roof, kAllOfSix, s), roof[s], 1e-9);
  }
}

TEST(LawPrediction, FindsWideStairs) {
  const std::vector<double> sizes = {32, 64, 96, 128, 192, 288, 384};
  std::vector<double> times;
  for (const double size : sizes) times.push_back(4 + 3 * std::ceil(size / 96));
  const auto prediction = predict(CurveLaw::staircase, {sizes, times}, 0b1111111, 3);
  ASSERT_TRUE(prediction);
  EXPECT_NEAR(std::exp(prediction->log_time), times[3], 1e-9);
}

TEST(LawPrediction, CoefficientsAreNeverNegative) {
  // Twice the work takes more than twice as long: the free line would start below 0.
  const std::vector<double> sizes = {1, 2, 4};
  const std::vector<double> times = {1, 2.5, 6};
  const auto prediction = predict(CurveLaw::affine, {sizes, times}, 0b110, 0);
  ASSERT_TRUE(prediction);
  EXPECT_GT(std::exp(prediction->log_time), 1.0);
}

TEST(LawPrediction, GradientIsTheDerivativeOnTheLaw) {
  const auto base = times_of([](double x) { return 5 + 2 * x; });
  const SizeSet fitted = kAllOfSix & ~(1u << 2);
  const auto prediction = predict(CurveLaw::affine, {kSizes, base}, fitted, 2);
  ASSERT_TRUE(prediction);
  for (std::size_t s = 0; s < kSizes.size(); ++s) {
    std::vector<double> nudged = base;
    nudged[s] *= std::exp(1e-6);
    const double derivative =
        (std::log(predicted(CurveLaw::affine, nudged, fitted, 2)) - prediction->log_time) / 1e-6;
    EXPECT_NEAR(prediction->gradient[s], derivative, 1e-4) << "size " << kSizes[s];
  }
}

TEST(LawPrediction, GradientsSumToOneSoThatBlocksCancel) {
  const auto times = times_of([](double x) { return std::max({10.0, 4 + 2 * x, 3.2 * x}); });
  for (const CurveLaw kind : {CurveLaw::affine, CurveLaw::staircase, CurveLaw::roofline}) {
    for (std::size_t s = 0; s < kSizes.size(); ++s) {
      const auto prediction = predict(kind, {kSizes, times}, kAllOfSix, s);
      ASSERT_TRUE(prediction);
      EXPECT_NEAR(std::accumulate(prediction->gradient.begin(), prediction->gradient.end(), 0.0),
                  1.0, 1e-9);
    }
  }
}

TEST(LawPrediction, OneSizeDeterminesNoLine) {
  const auto times = times_of([](double x) { return 5 + 2 * x; });
  EXPECT_FALSE(predict(CurveLaw::affine, {kSizes, times}, 0b1, 3));
}

}  // namespace
}  // namespace batchscope::tables
