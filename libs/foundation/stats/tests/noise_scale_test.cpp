#include "batchscope/stats/noise_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace batchscope::stats {
namespace {

constexpr int kSmall = 4, kBatches = 8, kLarge = kSmall * kBatches;
constexpr int kDimensions = 20;

// Steps of a model whose samples have gradients N(mean, sigma^2) in each of the dimensions: the
// scale is dimensions x sigma^2 / |mean|^2.
std::vector<SquaredNorms> draw_steps(int steps, double squared_mean, double sigma, uint64_t seed) {
  std::mt19937_64 random(seed);
  const double mean = std::sqrt(squared_mean / kDimensions);
  std::normal_distribution<double> of_batch(mean, sigma / std::sqrt(kSmall));
  std::vector<SquaredNorms> result;
  for (int s = 0; s < steps; ++s) {
    SquaredNorms norms;
    for (int d = 0; d < kDimensions; ++d) {
      double sum = 0;
      for (int b = 0; b < kBatches; ++b) {
        const double gradient = of_batch(random);
        norms.small += gradient * gradient / kBatches;
        sum += gradient / kBatches;
      }
      norms.large += sum * sum;
    }
    result.push_back(norms);
  }
  return result;
}

TEST(NoiseScale, IsThatOfKnownGradients) {
  const auto scale = noise_scale(draw_steps(2000, 1, 1.5, 1), kSmall, kLarge, 1.0);
  ASSERT_TRUE(scale);
  const double truth = kDimensions * 1.5 * 1.5;  // 45 samples
  EXPECT_NEAR(scale->samples, truth, 0.1 * truth);
  EXPECT_NEAR(scale->squared_gradient, 1, 0.1);
  EXPECT_NEAR(scale->variance, truth, 0.02 * truth);
  EXPECT_LT(*scale->low, truth);
  EXPECT_GT(*scale->high, truth);
}

// 1000 trainings; binomial(1000, 0.95) has a sd of 0.7 %, and the weights make it a little liberal.
TEST(NoiseScale, HoldsTheTruthInItsIntervalAsOftenAsItSays) {
  const double truth = kDimensions * 0.25;
  int held = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    const auto scale = noise_scale(draw_steps(200, 1, 0.5, seed), kSmall, kLarge);
    ASSERT_TRUE(scale && scale->low);
    held += *scale->low <= truth && truth <= scale->high.value_or(INFINITY) ? 1 : 0;
  }
  EXPECT_GE(held, 930);
  EXPECT_LE(held, 975);
}

TEST(NoiseScale, HasNoUpperBoundWhereTheGradientIsLostInNoise) {
  int unbounded = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    const auto scale = noise_scale(draw_steps(50, 1e-6, 1, seed), kSmall, kLarge);
    ASSERT_TRUE(scale);
    unbounded += scale->high ? 0 : 1;
    EXPECT_GT(scale->low.value_or(INFINITY), kLarge);
  }
  EXPECT_GE(unbounded, 90);
}

TEST(NoiseScale, FollowsTheLastSteps) {
  auto steps = draw_steps(500, 1, 0.5, 1);
  for (const SquaredNorms& late : draw_steps(500, 1, 2, 2)) steps.push_back(late);
  EXPECT_NEAR(noise_scale(steps, kSmall, kLarge)->samples, kDimensions * 4, 20);
}

// Weights that move: of the last 57 steps, which weigh as much as the 143 before, the noise is
// three times as large.
TEST(NoiseScale, TellsThatItDriftedWhileItWasAveraged) {
  auto steps = draw_steps(143, 1, 0.5, 1);
  for (const SquaredNorms& late : draw_steps(57, 1, 1.5, 2)) steps.push_back(late);
  const auto scale = noise_scale(steps, kSmall, kLarge);
  ASSERT_TRUE(scale && scale->drift);
  EXPECT_GT(*scale->drift, 2);
  EXPECT_LT(*scale->low, 15);  // the first half's 5 and the second's 45 samples are within
  EXPECT_GT(*scale->high, 30);
}

TEST(NoiseScale, SeldomTellsOfADriftThatIsNotThere) {
  int drifted = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    drifted += noise_scale(draw_steps(200, 1, 0.5, seed), kSmall, kLarge)->drift ? 1 : 0;
  }
  EXPECT_LE(drifted, 25);
}

TEST(NoiseScale, OfGradientsThatAreAllAlikeIsZero) {
  const std::vector<SquaredNorms> steps(20, SquaredNorms{2, 2});
  const auto scale = noise_scale(steps, kSmall, kLarge);
  EXPECT_NEAR(scale->samples, 0, 1e-12);
}

TEST(NoiseScale, NeedsSteps) {
  EXPECT_FALSE(noise_scale(draw_steps(9, 1, 1, 1), kSmall, kLarge));
}

}  // namespace
}  // namespace batchscope::stats
