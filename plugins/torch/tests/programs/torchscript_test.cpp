#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include "batchscope/engine/abilities.hpp"
#include "programs/torchscript_program.hpp"
#include "testing/engines/recording_sink.hpp"
#include "testing/files/scratch_folder.hpp"
#include "torch_engine.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::HasSubstr;

class Torchscript : public testing::Test {
 protected:
  // Saves a module with one parameter `w` of 4 elements and the given methods.
  engine::ModelSpec saved(const std::string& source, at::ScalarType dtype = at::kFloat) {
    torch::jit::Module module("Fixture");
    module.register_parameter("w", at::arange(4).to(dtype).add(1).set_requires_grad(true), false);
    module.register_attribute("training", c10::BoolType::get(), true);
    module.define(source);
    engine::ModelSpec spec;
    spec.name = spec.path = folder_.file("model.pt");
    spec.inputs = {input("x")};
    module.save(spec.path);
    return spec;
  }

  static engine::InputSpec input(std::string name, engine::DType dtype = engine::DType::float32) {
    engine::InputSpec spec;
    spec.name = std::move(name);
    spec.dimensions = {{0, engine::Symbol::batch}, {4}};
    spec.dtype = dtype;
    return spec;
  }

  base::Result<void> run(const engine::ModelSpec& spec, int64_t batch_size = 2,
                         const engine::ExecutionSpec& execution = {}) {
    const auto model = engine_.load(spec, execution);
    if (!model) return model.error();
    const auto batch = (*model)->prepare({batch_size, {}});
    if (!batch) return batch.error();
    const auto result = (*model)->run(**batch, sink_);
    loss_ = (*model)->as<engine::TellsLosses>()->last_loss();
    return result;
  }

  static std::vector<at::Tensor> outputs(const engine::ModelSpec& spec,
                                         std::vector<at::Tensor> inputs,
                                         const engine::ExecutionSpec& execution = {}) {
    auto loaded = load_torchscript(spec, execution, at::kCPU);
    EXPECT_TRUE(loaded) << base::to_string(loaded.error());
    return loaded->program->forward(inputs);
  }

  ScratchFolder folder_;
  TorchEngine engine_;
  RecordingSink sink_;
  std::optional<double> loss_;
};

TEST_F(Torchscript, RunsAndIsInspected) {
  auto spec = saved("def forward(self, x):\n  return x * self.w\n");
  EXPECT_TRUE(run(spec));
  const auto info = engine_.inspect(spec);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->parameters, 4);
  EXPECT_THAT(info->description, HasSubstr("forward(Tensor x)"));
  EXPECT_THAT(info->hash, HasSubstr("fnv1a64:"));
  EXPECT_EQ(info->path, spec.path);
}

TEST_F(Torchscript, PassesInputsByTheNamesOfForward) {
  auto spec = saved("def forward(self, a, b):\n  return a - b\n");
  spec.inputs = {input("b"), input("a")};
  auto loaded = load_torchscript(spec, {}, at::kCPU);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->inputs.at(0).name, "a");
  EXPECT_EQ(loaded->inputs.at(1).name, "b");
}

TEST_F(Torchscript, RefusesNamesThatForwardDoesNotHave) {
  auto spec = saved("def forward(self, x):\n  return x\n");
  spec.inputs = {input("input_ids")};
  const auto result = run(spec);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::usage);
  EXPECT_THAT(result.error().what, HasSubstr("input_ids"));
  EXPECT_THAT(result.error().what, HasSubstr("forward(Tensor x)"));
}

TEST_F(Torchscript, RefusesInputsThatAreNoTensors) {
  auto spec = saved("def forward(self, x, n: int):\n  return x * n\n");
  const auto result = run(spec);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::input);
  EXPECT_THAT(result.error().what, HasSubstr("'n' is int"));
}

TEST_F(Torchscript, LeavesDefaultsAlone) {
  auto spec = saved(
      "def forward(self, x, mask: Optional[Tensor] = None, n: int = 3):\n"
      "  return x * n\n");
  EXPECT_TRUE(at::equal(outputs(spec, {at::ones({4})}).at(0), at::full({4}, 3)));
}

TEST_F(Torchscript, SaysWhatItThrewWithoutTheInterpretersFrames) {
  auto spec = saved("def forward(self, x):\n  return torch.mm(x, torch.ones([7, 7]))\n");
  const auto result = run(spec);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::failed);
  EXPECT_THAT(result.error().what, HasSubstr("cannot be multiplied"));
  EXPECT_THAT(result.error().what, testing::Not(HasSubstr("Traceback")));
  EXPECT_THAT(result.error().fix, HasSubstr("forward(Tensor x)"));
}

TEST_F(Torchscript, SaysHowToMendADeviceThatTheModelNames) {
  // "meta" stands for any device that is not the one asked for, and is there in every build.
  auto spec = saved(
      "def forward(self, x):\n"
      "  return x + torch.ones([4], device=torch.device(\"meta\"))\n");
  const auto result = run(spec);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().what, HasSubstr("same device"));
  EXPECT_THAT(result.error().fix, HasSubstr("docs/reference/engines.md"));
}

TEST_F(Torchscript, ReportsAnExceptionOfTheModelsOwn) {
  auto spec = saved(
      "def forward(self, x):\n"
      "  assert x.size(0) != 2, \"two are refused\"\n"
      "  return x\n");
  EXPECT_TRUE(run(spec, 1));
  const auto result = run(spec, 2);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().what, "two are refused");
}

TEST_F(Torchscript, OpensUpTuplesListsAndDictionaries) {
  const auto tuple = outputs(saved("def forward(self, x):\n  return x, (x + 1, [x + 2, x + 3])\n"),
                             {at::zeros({1})});
  ASSERT_EQ(tuple.size(), 4);
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(tuple[static_cast<size_t>(i)].item<int64_t>(), i);
  EXPECT_EQ(outputs(saved("def forward(self, x):\n  return {\"a\": [x], \"b\": [x, x]}\n"),
                    {at::zeros({1})})
                .size(),
            3);
}

TEST_F(Torchscript, IsConvertedForLowerPrecisions) {
  auto spec = saved("def forward(self, x):\n  return x * self.w\n");
  engine::ExecutionSpec execution;
  execution.precision = schema::Precision::bf16;
  const auto y = outputs(spec, {at::ones({4}, at::kBFloat16)}, execution);
  EXPECT_EQ(y.at(0).scalar_type(), at::kBFloat16);
}

TEST_F(Torchscript, IndicesStayFullInLowerPrecisions) {
  torch::jit::Module module("Fixture");
  module.register_buffer("i", at::arange(2));
  module.register_attribute("training", c10::BoolType::get(), true);
  module.define("def forward(self, x):\n  return torch.index_select(x, 1, self.i)\n");
  engine::ModelSpec spec;
  spec.name = spec.path = folder_.file("model.pt");
  spec.inputs = {input("x")};
  module.save(spec.path);
  engine::ExecutionSpec execution;
  execution.precision = schema::Precision::bf16;
  const auto ran = run(spec, 2, execution);
  EXPECT_TRUE(ran) << base::to_string(ran.error());
}

TEST_F(Torchscript, RefusesFp32WhereTheWeightsAreNot) {
  auto spec = saved("def forward(self, x):\n  return x * self.w\n", at::kHalf);
  const auto result = run(spec);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::failed);
  EXPECT_THAT(result.error().what, HasSubstr("Half"));
  EXPECT_THAT(result.error().fix, HasSubstr("(--precision)"));
}

TEST_F(Torchscript, TrainsInTrainingMode) {
  // In evaluation the output would not depend on the parameter, and there would be no gradient.
  auto spec = saved(
      "def forward(self, x):\n"
      "  if self.training:\n"
      "    return x * self.w\n"
      "  return x\n");
  engine::ExecutionSpec execution;
  execution.mode = schema::Mode::train;
  execution.optimizer = "sgd";
  const auto result = run(spec, 2, execution);
  EXPECT_TRUE(result) << base::to_string(result.error());
  EXPECT_THAT(sink_.names, testing::ElementsAre("forward", "loss", "backward", "optimizer"));
  EXPECT_GT(loss_.value_or(0), 0);
}

TEST_F(Torchscript, RefusesFilesThatAreSomethingElse) {
  engine::ModelSpec spec;
  spec.inputs = {input("x")};
  spec.path = folder_.write("junk.pt", "this is no archive");
  for (const auto& error : {engine_.load(spec, {}).error(), engine_.inspect(spec).error()}) {
    EXPECT_EQ(error.kind, base::ErrorKind::input);
    EXPECT_EQ(error.where, spec.path);
    EXPECT_THAT(error.fix, HasSubstr("torch.jit"));
  }
}

}  // namespace
}  // namespace batchscope::torch_plugin
