#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include "batches/batch.hpp"
#include "batchscope/engine/abilities.hpp"
#include "libtorch/host_tensors.hpp"
#include "testing/engines/recording_sink.hpp"
#include "testing/files/scratch_folder.hpp"
#include "torch_engine.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Infer : public testing::Test {
 protected:
  // An embedding of width 3: token i is (i, i + 1, -i).
  void SetUp() override {
    torch::jit::Module module("Fixture");
    module.register_attribute("training", c10::BoolType::get(), true);
    module.define(
        "def forward(self, ids, mask):\n"
        "  x = ids.unsqueeze(-1).float()\n"
        "  return torch.cat([x, x + 1, -x], -1), mask * 2\n");
    spec_.name = spec_.path = folder_.file("model.pt");
    module.save(spec_.path);
    for (const char* text : {"ids:BxS:int64", "mask:BxS:int64"}) {
      spec_.inputs.push_back(*engine::parse_input_spec(text));
    }
    for (int64_t i = 0; i < 8; ++i) ids_[static_cast<size_t>(i)] = i * i % 11;
  }

  std::unique_ptr<engine::Model> model(const engine::ExecutionSpec& execution = {}) {
    auto loaded = engine_.load(spec_, execution);
    EXPECT_TRUE(loaded) << base::to_string(loaded.error());
    return *std::move(loaded);
  }

  std::vector<engine::Tensor> inputs() {
    const auto tensor = [](std::vector<int64_t>& values) {
      return at::from_blob(values.data(), {2, 4}, at::kLong);
    };
    return {to_host_tensor(tensor(mask_), "mask"), to_host_tensor(tensor(ids_), "ids")};
  }

  base::Error error(const std::vector<engine::Tensor>& inputs) {
    const auto ran = model()->as<engine::TakesTensors>()->infer(inputs, {}, sink_);
    return ran ? base::Error{} : ran.error();
  }

  ScratchFolder folder_;
  TorchEngine engine_;
  engine::ModelSpec spec_;
  RecordingSink sink_;
  std::vector<int64_t> ids_ = std::vector<int64_t>(8);
  std::vector<int64_t> mask_{1, 1, 1, 0, 1, 0, 0, 0};
};

TEST_F(Infer, GivesAllOutputs) {
  const auto given = inputs();
  const auto outputs = model()->as<engine::TakesTensors>()->infer(given, {}, sink_);
  ASSERT_TRUE(outputs) << base::to_string(outputs.error());
  ASSERT_EQ(outputs->size(), 2u);
  EXPECT_THAT(outputs->front().dimensions, ElementsAre(2, 4, 3));
  EXPECT_EQ(outputs->front().name, "output_0");
  EXPECT_FLOAT_EQ(engine::to_floats(outputs->front())->at(3), 1);  // of the second token
  EXPECT_EQ(outputs->back().dtype, engine::DType::int64);
  EXPECT_THAT(*engine::to_floats(outputs->back()), ElementsAre(2, 2, 2, 0, 2, 0, 0, 0));
  EXPECT_THAT(sink_.names, ElementsAre("h2d", "forward", "d2h"));
}

TEST_F(Infer, PoolsAsTheHostDoes) {
  const auto given = inputs();
  const auto hidden = model()->as<engine::TakesTensors>()->infer(given, {}, sink_)->front();
  sink_.names.clear();
  for (const auto pooling : {engine::Pooling::none, engine::Pooling::mean, engine::Pooling::cls}) {
    for (const bool normalize : {false, true}) {
      const engine::Pool pool{pooling, normalize};
      if (!pool.does_something()) continue;
      const auto outputs = model()->as<engine::TakesTensors>()->infer(given, pool, sink_);
      ASSERT_TRUE(outputs) << base::to_string(outputs.error());
      ASSERT_EQ(outputs->size(), 1u);
      const auto expected = engine::pool_on_host(hidden, &given.front(), pool);
      EXPECT_EQ(outputs->front().dimensions, expected->dimensions);
      EXPECT_THAT(*engine::to_floats(outputs->front()),
                  testing::Pointwise(testing::FloatNear(1e-5F), *engine::to_floats(*expected)));
    }
  }
  sink_.names.resize(4);
  EXPECT_THAT(sink_.names, ElementsAre("h2d", "forward", "pool", "d2h"));
}

TEST_F(Infer, GivesZerosForATextWithoutTokens) {
  mask_ = std::vector<int64_t>(8);
  const auto outputs =
      model()->as<engine::TakesTensors>()->infer(inputs(), {engine::Pooling::mean, true}, sink_);
  ASSERT_TRUE(outputs);
  EXPECT_THAT(*engine::to_floats(outputs->front()), testing::Each(0));
}

TEST_F(Infer, SaysWhatTheModelTakes) {
  auto given = inputs();
  given[1].name = "input_ids";
  EXPECT_EQ(error(given).kind, base::ErrorKind::usage);
  EXPECT_THAT(error(given).fix, HasSubstr("ids:BxS:int64"));
  given[1].name = "ids";
  given[1].dtype = engine::DType::float64;
  EXPECT_EQ(error(given).kind, base::ErrorKind::input);
  given[1].dtype = engine::DType::int64;
  given[1].dimensions = {4, 2};
  EXPECT_THAT(error(given).what, HasSubstr("does not fit"));
  EXPECT_EQ(model()->as<engine::TakesTensors>()->inputs().size(), 2u);
}

TEST_F(Infer, RefusesToPoolWhatHasNoTokens) {
  engine::ModelSpec mlp;
  mlp.name = "mlp";
  const auto built = engine_.load(mlp, {});
  ASSERT_TRUE(built);
  const auto given =
      engine::make_inputs((*built)->as<engine::TakesTensors>()->inputs(), {1, {}}, 0, 1);
  EXPECT_TRUE((*built)->as<engine::TakesTensors>()->infer(*given, {}, sink_));
  const auto pooled =
      (*built)->as<engine::TakesTensors>()->infer(*given, {engine::Pooling::mean, false}, sink_);
  ASSERT_FALSE(pooled);
  EXPECT_EQ(pooled.error().kind, base::ErrorKind::input);
}

TEST_F(Infer, TakesFloatsInThePrecisionOfTheModel) {
  engine::ModelSpec mlp;
  mlp.name = "mlp";
  engine::ExecutionSpec execution;
  execution.precision = schema::Precision::bf16;
  const auto built = engine_.load(mlp, execution);
  ASSERT_TRUE(built);
  const auto given =
      engine::make_inputs((*built)->as<engine::TakesTensors>()->inputs(), {1, {}}, 0, 1);
  const auto outputs = (*built)->as<engine::TakesTensors>()->infer(*given, {}, sink_);
  ASSERT_TRUE(outputs) << base::to_string(outputs.error());
  EXPECT_EQ(outputs->front().dtype, engine::DType::bfloat16);
}

TEST_F(Infer, IsNotForATrainingModel) {
  engine::ModelSpec mlp;
  mlp.name = "mlp";
  engine::ExecutionSpec execution;
  execution.mode = schema::Mode::train;
  execution.optimizer = "sgd";
  const auto built = engine_.load(mlp, execution);
  ASSERT_TRUE(built);
  EXPECT_EQ((*built)->as<engine::TakesTensors>()->infer({}, {}, sink_).error().kind,
            base::ErrorKind::failed);
}

// Engines are compared on the same input, so that the two ways to make one agree.
TEST(MakeInputs, AreThoseOfTheEngineForTheSameSeed) {
  LoadedProgram loaded;
  for (const char* text : {"ids:BxS:int64=0-30521", "mask:BxS:int64=1", "x:Bx40", "y:BxS:bool"}) {
    loaded.inputs.push_back(*engine::parse_input_spec(text));
  }
  const schema::Shape shape{3, std::nullopt, "mix", {7, 9, 2, 30, 1, 4}};
  const auto batches = make_batches(loaded, shape, at::kFloat, false, 17);
  ASSERT_TRUE(batches);
  for (int64_t i = 0; i < 2; ++i) {
    const auto inputs = engine::make_inputs(loaded.inputs, shape, i, 17);
    ASSERT_TRUE(inputs);
    const HostBatch& batch = (*batches)[static_cast<size_t>(i)];
    for (size_t k = 0; k < inputs->size(); ++k) {
      EXPECT_TRUE(at::equal(as_torch((*inputs)[k]), batch.inputs[k])) << i << ' ' << k;
    }
  }
}

}  // namespace
}  // namespace batchscope::torch_plugin
