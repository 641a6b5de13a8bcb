#include "training/loss_scaler.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>

namespace batchscope::torch_plugin {
namespace {

std::vector<at::Tensor> parameters_with(double gradient) {
  std::vector<at::Tensor> parameters{at::ones({3}), at::ones({2})};
  for (at::Tensor& each : parameters) {
    each.requires_grad_(true);
    each.mutable_grad() = at::full({each.size(0)}, gradient);
  }
  return parameters;
}

TEST(LossScaler, UndoesTheScaleOnGradients) {
  LossScaler scaler;
  EXPECT_EQ(scaler.scaled(at::ones({})).item<double>(), 65536);
  const auto parameters = parameters_with(65536 * 0.25);
  EXPECT_TRUE(scaler.unscale(parameters));
  for (const at::Tensor& each : parameters) {
    EXPECT_TRUE(at::equal(each.grad(), at::full({each.size(0)}, 0.25)));
  }
  EXPECT_EQ(scaler.skipped(), 0);
  EXPECT_EQ(scaler.scale(), 65536);
}

TEST(LossScaler, SkipsAndHalvesWhereAGradientIsNotFinite) {
  for (const double bad :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    LossScaler scaler;
    auto parameters = parameters_with(1);
    parameters.back().mutable_grad()[1] = bad;
    EXPECT_FALSE(scaler.unscale(parameters));
    EXPECT_FALSE(scaler.unscale(parameters));
    EXPECT_EQ(scaler.skipped(), 2);
    EXPECT_EQ(scaler.scale(), 16384);
  }
}

TEST(LossScaler, GrowsAfterTwoThousandGoodStepsInARow) {
  LossScaler scaler;
  const auto good = parameters_with(0);
  for (int i = 0; i < 1999; ++i) ASSERT_TRUE(scaler.unscale(good));
  EXPECT_EQ(scaler.scale(), 65536);
  EXPECT_TRUE(scaler.unscale(good));
  EXPECT_EQ(scaler.scale(), 131072);
  for (int i = 0; i < 1999; ++i) ASSERT_TRUE(scaler.unscale(good));
  EXPECT_FALSE(scaler.unscale(parameters_with(std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(scaler.unscale(good));  // counts from 1 again
  EXPECT_EQ(scaler.scale(), 65536);
}

TEST(LossScaler, PassesOverParametersWithoutAGradient) {
  LossScaler scaler;
  EXPECT_TRUE(scaler.unscale({at::ones({2})}));
  auto parameters = parameters_with(65536);
  parameters.push_back(at::ones({2}));
  EXPECT_TRUE(scaler.unscale(parameters));
  EXPECT_EQ(parameters.front().grad()[0].item<double>(), 1);
}

}  // namespace
}  // namespace batchscope::torch_plugin
