// Steps of several batches, and the norms of their gradients.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "batchscope/engine/abilities.hpp"
#include "testing/engines/recording_sink.hpp"
#include "torch_model.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::ElementsAre;
using Function = std::function<at::Tensor(const at::Tensor& x, const at::Tensor& w)>;

class OneWeight final : public Program {
 public:
  OneWeight(Function function, at::Tensor weight)
      : function_(std::move(function)), weight_(std::move(weight)) {}
  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs) override {
    return {function_(inputs.at(0), weight_)};
  }
  std::vector<at::Tensor> parameters() override { return {weight_}; }

 private:
  Function function_;
  at::Tensor weight_;
};

struct Training {
  at::Tensor weight = at::ones({4}).set_requires_grad(true);
  std::unique_ptr<engine::Model> model;

  Training(const Function& function, int64_t accumulation,
           schema::Precision precision = schema::Precision::fp32) {
    LoadedProgram loaded;
    loaded.program = std::make_unique<OneWeight>(function, weight);
    loaded.inputs = {*engine::parse_input_spec("x:Bx4")};
    engine::ModelSpec spec;
    spec.name = "fake";
    spec.seed = 5;
    engine::ExecutionSpec execution;
    execution.mode = schema::Mode::train;
    execution.optimizer = "sgd";
    execution.accumulation = accumulation;
    execution.precision = precision;
    model = *TorchModel::make(std::move(loaded), spec, execution, at::kCPU);
  }
};

at::Tensor weighted(const at::Tensor& x, const at::Tensor& w) {
  return x * w;
}

TEST(Accumulation, TrainsAsOneBatchOfTheSameSamples) {
  Training full(weighted, 1), parts(weighted, 4);
  const auto large = *full.model->prepare({8, {}});
  const auto small = *parts.model->prepare({2, {}});
  EXPECT_EQ(small->cycle(), 1);
  RecordingSink sink;
  for (int step = 0; step < 5; ++step) {
    ASSERT_TRUE(full.model->run(*large, sink));
    ASSERT_TRUE(parts.model->run(*small, sink));
    EXPECT_NEAR(*parts.model->as<engine::TellsLosses>()->last_loss(),
                *full.model->as<engine::TellsLosses>()->last_loss(), 1e-6);
  }
  EXPECT_TRUE(at::allclose(parts.weight, full.weight, 1e-6));
  EXPECT_FALSE(at::allclose(parts.weight, at::ones({4}), 1e-6)) << "it trains";
  EXPECT_EQ(parts.model->as<engine::TellsLosses>()->first_losses().size(), 5U) << "a loss a step";
}

TEST(Accumulation, ReportsTheOptimizerOnceAStep) {
  Training training(weighted, 2);
  const auto batch = *training.model->prepare({2, {}});
  RecordingSink sink;
  ASSERT_TRUE(training.model->run(*batch, sink));
  EXPECT_THAT(sink.names, ElementsAre("forward", "loss", "backward", "forward", "loss", "backward",
                                      "optimizer"));
}

TEST(Accumulation, ScalesTheLossInFp16Too) {
  Training full(weighted, 1, schema::Precision::fp16), parts(weighted, 4, schema::Precision::fp16);
  RecordingSink sink;
  ASSERT_TRUE(full.model->run(**full.model->prepare({8, {}}), sink));
  ASSERT_TRUE(parts.model->run(**parts.model->prepare({2, {}}), sink));
  EXPECT_TRUE(at::allclose(parts.weight, full.weight, 1e-3));
  EXPECT_FALSE(at::equal(parts.weight, at::ones({4})));
}

TEST(Accumulation, CountsTheTokensOfAStep) {
  Training training(weighted, 2);
  // No input has a length here, but a mix is told apart by its lengths alone.
  schema::Shape shape{1, {}, "1-2:uniform", {1, 2, 1, 2}};
  const auto batch = training.model->prepare(shape);
  ASSERT_FALSE(batch) << "the model has no length";
}

// With loss = mean((w x^8)^2), x uniform in [0, 1), the gradient of a sample is 2 w x^16, whose
// variance over its squared mean is (1/33) / (1/17)^2 - 1 = 7.76 at any weight.
TEST(GradientNorms, TellTheNoiseOfAKnownModel) {
  Training training(
      [](const at::Tensor& x, const at::Tensor& w) {
        return w.narrow(0, 0, 1) * x.narrow(1, 0, 1).pow(8);
      },
      16);
  const auto batch = *training.model->prepare({4, {}});
  double small = 0, large = 0;
  for (uint64_t step = 1; step <= 2000; ++step) {
    const double w = training.weight[0].item<double>();
    const auto norms = training.model->as<engine::ShowsGradients>()->step_with_norms(*batch, step);
    ASSERT_TRUE(norms) << base::to_string(norms.error());
    small += norms->small_squared / (w * w);
    large += norms->large_squared / (w * w);
  }
  const double b_small = 4, b_large = 64;
  const double squared_mean = (b_large * large - b_small * small) / (b_large - b_small);
  const double variance = (small - large) / (1 / b_small - 1 / b_large);
  EXPECT_NEAR(variance / squared_mean, 289.0 / 33 - 1, 0.4);
}

TEST(GradientNorms, NeedSeveralBatchesAndTheGradientsThemselves) {
  Training one(weighted, 1), scaled(weighted, 2, schema::Precision::fp16);
  EXPECT_FALSE(
      one.model->as<engine::ShowsGradients>()->step_with_norms(**one.model->prepare({2, {}}), 1));
  EXPECT_FALSE(scaled.model->as<engine::ShowsGradients>()->step_with_norms(
      **scaled.model->prepare({2, {}}), 1));
}

TEST(GradientNorms, LeaveTheWeightsAsAStepDoes) {
  Training plain(weighted, 4), measured(weighted, 4);
  RecordingSink sink;
  ASSERT_TRUE(plain.model->run(**plain.model->prepare({2, {}}), sink));
  ASSERT_TRUE(measured.model->as<engine::ShowsGradients>()->step_with_norms(
      **measured.model->prepare({2, {}}), 0));
  EXPECT_TRUE(at::allclose(plain.weight, measured.weight, 1e-6));
}

}  // namespace
}  // namespace batchscope::torch_plugin
