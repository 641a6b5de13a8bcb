#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "batchscope/engine/tensor.hpp"

namespace batchscope::engine {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

constexpr int64_t kBatch = 3, kTokens = 5, kWidth = 7;

std::size_t at(int64_t b, int64_t s, int64_t h) {
  return static_cast<std::size_t>((b * kTokens + s) * kWidth + h);
}

class PoolOnHost : public testing::Test {
 protected:
  PoolOnHost() : values_(kBatch * kTokens * kWidth), mask_(kBatch * kTokens, 1) {
    std::mt19937 generator(1);
    std::uniform_real_distribution<float> uniform(-2, 3);
    for (float& value : values_) value = uniform(generator);
    for (const std::size_t padding : {4UL, 8UL, 9UL}) mask_[padding] = 0;  // 4, 3 and 5 tokens
  }

  Tensor hidden() const { return float_tensor("y", {kBatch, kTokens, kWidth}, values_); }
  Tensor mask() const { return float_tensor("attention_mask", {kBatch, kTokens}, mask_); }

  // In double, element by element.
  std::vector<float> expected(const Pool& pool) const {
    std::vector<float> rows;
    for (int64_t b = 0; b < kBatch; ++b) {
      std::vector<double> row(kWidth);
      double squares = 0;
      for (int64_t h = 0; h < kWidth; ++h) {
        double sum = 0, count = 0;
        for (int64_t s = 0; s < kTokens; ++s) {
          const double weight = mask_[static_cast<std::size_t>(b * kTokens + s)];
          sum += weight * static_cast<double>(values_[at(b, s, h)]);
          count += weight;
        }
        auto& value = row[static_cast<std::size_t>(h)];
        value =
            pool.pooling == Pooling::cls ? static_cast<double>(values_[at(b, 0, h)]) : sum / count;
        squares += value * value;
      }
      for (const double value : row) {
        rows.push_back(static_cast<float>(pool.normalize ? value / std::sqrt(squares) : value));
      }
    }
    return rows;
  }

  std::vector<float> values_, mask_;
};

TEST_F(PoolOnHost, GivesWhatTheDefinitionGives) {
  for (const Pooling pooling : {Pooling::mean, Pooling::cls}) {
    for (const bool normalize : {false, true}) {
      const Tensor given = mask();
      const auto pooled = pool_on_host(hidden(), &given, {pooling, normalize});
      ASSERT_TRUE(pooled) << base::to_string(pooled.error());
      EXPECT_THAT(pooled->dimensions, ElementsAre(kBatch, kWidth));
      EXPECT_EQ(pooled->dtype, DType::float32);
      EXPECT_THAT(*to_floats(*pooled), Pointwise(FloatNear(1e-5F), expected({pooling, normalize})));
    }
  }
}

TEST_F(PoolOnHost, CountsEveryTokenWithoutAMask) {
  std::fill(mask_.begin(), mask_.end(), 1.0F);
  const auto pooled = pool_on_host(hidden(), nullptr, {Pooling::mean, false});
  ASSERT_TRUE(pooled);
  EXPECT_THAT(*to_floats(*pooled), Pointwise(FloatNear(1e-5F), expected({Pooling::mean, false})));
}

TEST_F(PoolOnHost, GivesZerosForATextWithoutTokens) {
  std::fill(mask_.begin(), mask_.begin() + kTokens, 0.0F);
  const Tensor given = mask();
  const auto pooled = pool_on_host(hidden(), &given, {Pooling::mean, true});
  ASSERT_TRUE(pooled);
  const auto values = *to_floats(*pooled);
  EXPECT_THAT(std::vector<float>(values.begin(), values.begin() + kWidth), testing::Each(0));
}

TEST_F(PoolOnHost, NormalizesVectorsThatArePooledAlready) {
  const auto rows = pool_on_host(float_tensor("y", {2, 2}, std::vector<float>{3, 4, 0, -2}),
                                 nullptr, {Pooling::none, true});
  ASSERT_TRUE(rows);
  EXPECT_THAT(*to_floats(*rows), ElementsAre(0.6F, 0.8F, 0, -1));
}

TEST_F(PoolOnHost, RefusesWhatHasNoTokensAndAMaskOfAnotherShape) {
  const Tensor flat = float_tensor("y", {3, 7}, std::vector<float>(21));
  EXPECT_EQ(pool_on_host(flat, nullptr, {Pooling::mean, false}).error().kind,
            base::ErrorKind::input);
  const Tensor short_mask = float_tensor("mask", {3, 4}, std::vector<float>(12));
  EXPECT_EQ(pool_on_host(hidden(), &short_mask, {Pooling::mean, false}).error().kind,
            base::ErrorKind::input);
}

TEST(FindMask, IsTheInputOfThatName) {
  const std::vector<Tensor> inputs{{"ids", DType::int64, {1, 2}, {}},
                                   {"Attention_Mask", DType::int64, {1, 2}, {}}};
  EXPECT_EQ(find_mask(inputs), &inputs[1]);
  EXPECT_EQ(find_mask(std::span(inputs).first(1)), nullptr);
}

}  // namespace
}  // namespace batchscope::engine
