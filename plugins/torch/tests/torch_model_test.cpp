#include "torch_model.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "batchscope/engine/abilities.hpp"
#include "testing/engines/described_abilities.hpp"
#include "testing/engines/recording_sink.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// y = f(x, w), with one parameter.
class FakeProgram final : public Program {
 public:
  using Function = std::function<at::Tensor(const at::Tensor& x, const at::Tensor& w)>;
  explicit FakeProgram(Function function) : function_(std::move(function)) {}

  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs) override {
    return {function_(inputs.at(0), weight_)};
  }
  std::vector<at::Tensor> parameters() override { return {weight_}; }

 private:
  Function function_;
  at::Tensor weight_ = at::ones({4}).set_requires_grad(true);
};

std::unique_ptr<engine::Model> model_of(FakeProgram::Function function,
                                        schema::Mode mode = schema::Mode::infer,
                                        schema::Precision precision = schema::Precision::fp32) {
  LoadedProgram loaded;
  loaded.program = std::make_unique<FakeProgram>(std::move(function));
  loaded.inputs.resize(1);
  loaded.inputs[0].name = "x";
  loaded.inputs[0].dimensions = {{0, engine::Symbol::batch}, {4}};
  loaded.expects = "the model takes x";
  engine::ModelSpec spec;
  spec.name = "fake";
  engine::ExecutionSpec execution;
  execution.mode = mode;
  execution.optimizer = "sgd";
  execution.precision = precision;
  auto model = TorchModel::make(std::move(loaded), spec, execution, at::kCPU);
  EXPECT_TRUE(model) << base::to_string(model.error());
  return *std::move(model);
}

at::Tensor scaled(const at::Tensor& x, const at::Tensor& w) {
  return x * w;
}

TEST(TorchModel, HasTheAbilitiesThatTheEngineIsDescribedWith) {
  engine::expect_described_abilities(*model_of(scaled), "torch");
}

TEST(TorchModel, ReportsForwardAloneOnTheCpu) {
  const auto model = model_of(scaled);
  const auto batch = *model->prepare({3, {}});
  RecordingSink sink;
  ASSERT_TRUE(model->run(*batch, sink));
  EXPECT_THAT(sink.names, ElementsAre("forward"));
  EXPECT_GT(sink.host[0], 0);
  EXPECT_FALSE(sink.device[0].has_value());
  EXPECT_FALSE(model->as<engine::TellsLosses>()->last_loss().has_value());
  EXPECT_FALSE(model->memory().peak_allocated_bytes.has_value());
}

TEST(TorchModel, HoldsNothingBackOnTheCpu) {
  EXPECT_TRUE(model_of(scaled)->as<engine::HoldsBack>()->hold_back(int64_t{1} << 60));
}

TEST(TorchModel, FeedsTheBatchThatWasPrepared) {
  at::Tensor seen;
  bool records_gradients = true;
  const auto model = model_of([&](const at::Tensor& x, const at::Tensor&) {
    seen = x;
    records_gradients = c10::GradMode::is_enabled();
    return x;
  });
  const auto batch = *model->prepare({3, {}});
  RecordingSink sink;
  ASSERT_TRUE(model->run(*batch, sink));
  EXPECT_EQ(seen.sizes(), at::IntArrayRef({3, 4}));
  EXPECT_TRUE(at::equal(seen, static_cast<BatchCycle&>(*batch).batches().front().inputs[0]));
  EXPECT_FALSE(records_gradients);
}

TEST(TorchModel, RunsTheBatchesOfACycleInTurn) {
  std::vector<int64_t> lengths;
  LoadedProgram loaded;
  loaded.program = std::make_unique<FakeProgram>([&](const at::Tensor& x, const at::Tensor&) {
    lengths.push_back(x.size(1));
    return x;
  });
  loaded.inputs.resize(1);
  loaded.inputs[0].name = "x";
  loaded.inputs[0].dimensions = {{0, engine::Symbol::batch}, {0, engine::Symbol::length}};
  const auto model = *TorchModel::make(std::move(loaded), {}, {}, at::kCPU);
  const auto batch = *model->prepare({2, std::nullopt, "mix", {3, 5, 4, 1}});
  EXPECT_EQ(batch->cycle(), 2);
  EXPECT_EQ(batch->tokens(), (schema::Tokens{13, 18, 2}));
  RecordingSink sink;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(model->run(*batch, sink));
  EXPECT_THAT(lengths, ElementsAre(5, 4, 5));
}

TEST(TorchModel, MakesInputsInThePrecisionItRunsIn) {
  const auto model = model_of(scaled, schema::Mode::infer, schema::Precision::bf16);
  const auto batch = *model->prepare({1, {}});
  EXPECT_EQ(static_cast<BatchCycle&>(*batch).batches().front().inputs[0].scalar_type(),
            at::kBFloat16);
}

TEST(TorchModel, ReportsTheFourPhasesOfTraining) {
  const auto model = model_of(scaled, schema::Mode::train);
  const auto batch = *model->prepare({3, {}});
  RecordingSink sink;
  ASSERT_TRUE(model->run(*batch, sink));
  EXPECT_THAT(sink.names, ElementsAre("forward", "loss", "backward", "optimizer"));
}

TEST(TorchModel, LearnsWhileItTrains) {
  const auto model = model_of(scaled, schema::Mode::train);
  const auto batch = *model->prepare({3, {}});
  RecordingSink sink;
  ASSERT_TRUE(model->run(*batch, sink));
  const double first = *model->as<engine::TellsLosses>()->last_loss();
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(model->run(*batch, sink));
  EXPECT_LT(*model->as<engine::TellsLosses>()->last_loss(), 0.99 * first);
}

TEST(TorchModel, KeepsTheLossesOfItsFirstSteps) {
  const auto model = model_of(scaled, schema::Mode::train);
  const auto batch = *model->prepare({3, {}});
  RecordingSink sink;
  std::vector<double> seen;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(model->run(*batch, sink));
    seen.push_back(*model->as<engine::TellsLosses>()->last_loss());
  }
  EXPECT_NE(seen[0], seen[15]);
  seen.resize(engine::kFirstLosses);
  EXPECT_EQ(model->as<engine::TellsLosses>()->first_losses(), seen);
  EXPECT_FALSE(model->as<engine::TellsLosses>()->skipped_steps().has_value());
}

// float16 holds up to 65504: the gradient of a loss times 65536 is infinite on the way back, and
// half of it is not.
TEST(TorchModel, SkipsStepsInFp16UntilTheScaleFits) {
  const auto model = model_of(
      [](const at::Tensor& x, const at::Tensor& w) {
        return (x.abs() + 1).matmul(at::diag(w)) * 4;  // matmul: in float16 under autocast
      },
      schema::Mode::train, schema::Precision::fp16);
  const auto batch = *model->prepare({1, {}});
  RecordingSink sink;
  for (int i = 0; i < 12; ++i) ASSERT_TRUE(model->run(*batch, sink));
  EXPECT_THAT(sink.names.back(), "optimizer");
  const std::vector<double> losses = model->as<engine::TellsLosses>()->first_losses();
  const auto skipped =
      static_cast<size_t>(model->as<engine::TellsLosses>()->skipped_steps().value_or(0));
  EXPECT_GT(skipped, 0);
  ASSERT_LT(skipped, 10);
  for (size_t i = 1; i <= skipped; ++i) EXPECT_EQ(losses[i], losses[0]) << i;  // nothing was learnt
  EXPECT_LT(losses.back(), losses[skipped]);
  EXPECT_TRUE(std::isfinite(losses.back()));
}

TEST(TorchModel, SaysThatThereIsNoKernelForThePrecision) {
  const auto model = model_of(
      [](const at::Tensor&, const at::Tensor&) -> at::Tensor {
        TORCH_CHECK(false, "\"addmm_impl_cpu_\" not implemented for 'Half'");
      },
      schema::Mode::train, schema::Precision::fp16);
  const auto batch = *model->prepare({1, {}});
  RecordingSink sink;
  const auto result = model->run(*batch, sink);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().what, HasSubstr("does not support this in fp16 on cpu"));
  EXPECT_THAT(result.error().fix, HasSubstr("bf16"));
}

TEST(TorchModel, FailsWhenTheLossIsNotFinite) {
  const auto model =
      model_of([](const at::Tensor& x,
                  const at::Tensor& w) { return x * w * std::numeric_limits<float>::infinity(); },
               schema::Mode::train);
  const auto batch = *model->prepare({3, {}});
  RecordingSink sink;
  const auto result = model->run(*batch, sink);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::failed);
  EXPECT_THAT(result.error().what, HasSubstr("loss is"));
}

TEST(TorchModel, SaysWhatTheModelThrewAndWhatItTakes) {
  const auto model = model_of([](const at::Tensor& x, const at::Tensor&) {
    return x.matmul(at::ones({5, 5}));
  });
  const auto batch = *model->prepare({3, {}});
  RecordingSink sink;
  const auto result = model->run(*batch, sink);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::failed);
  EXPECT_EQ(result.error().where, "fake");
  EXPECT_THAT(result.error().fix, HasSubstr("the model takes x"));
}

TEST(TorchModel, ReportsExhaustedMemoryAndRunsOn) {
  bool greedy = true;
  const auto model = model_of([&](const at::Tensor& x, const at::Tensor&) {
    return greedy ? at::empty({int64_t{1} << 50}) : x;
  });
  const auto batch = *model->prepare({3, {}});
  RecordingSink sink;
  const auto result = model->run(*batch, sink);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::out_of_memory);
  greedy = false;
  EXPECT_TRUE(model->run(*batch, sink));
}

TEST(TorchModel, HasNothingToWaitForOnTheCpu) {
  const auto model = model_of(scaled);
  RecordingSink sink;
  EXPECT_TRUE(model->wait(sink));
  EXPECT_TRUE(sink.names.empty());
}

TEST(Trainer, RefusesWhatItCannotDo) {
  engine::ExecutionSpec execution;
  execution.mode = schema::Mode::train;
  execution.optimizer = "sgd";
  LoadedProgram loaded;
  loaded.program = std::make_unique<FakeProgram>(scaled);
  EXPECT_TRUE(Trainer::make(loaded, execution, at::kCPU));
  execution.optimizer = "lion";
  EXPECT_EQ(Trainer::make(loaded, execution, at::kCPU).error().kind, base::ErrorKind::usage);
  execution.optimizer = "adamw";
  EXPECT_TRUE(Trainer::make(loaded, execution, at::kCPU));
}

}  // namespace
}  // namespace batchscope::torch_plugin
