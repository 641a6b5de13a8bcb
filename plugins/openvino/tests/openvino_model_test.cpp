#include "openvino_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/engine/abilities.hpp"
#include "fixture_models.hpp"
#include "openvino_engine.hpp"
#include "testing/engines/described_abilities.hpp"
#include "testing/engines/recording_sink.hpp"
#include "testing/files/scratch_folder.hpp"

namespace batchscope::openvino_plugin {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class Model : public testing::Test {
 protected:
  std::unique_ptr<engine::Model> loaded(const std::shared_ptr<ov::Model>& model,
                                        schema::Precision precision = schema::Precision::fp32) {
    engine::ModelSpec spec;
    spec.path = folder_.file("model.xml");
    spec.seed = 3;
    save(model, spec.path);
    engine::ExecutionSpec execution;
    execution.precision = precision;
    auto made = engine_.load(spec, execution);
    EXPECT_TRUE(made) << base::to_string(made.error());
    return *std::move(made);
  }

  static bool has(const char* capability) {
    ov::Core core;
    const auto able = core.get_property("CPU", ov::device::capabilities);
    return std::find(able.begin(), able.end(), capability) != able.end();
  }

  ScratchFolder folder_;
  OpenvinoEngine engine_;
  RecordingSink sink_;
};

TEST_F(Model, HasTheAbilitiesThatTheEngineIsDescribedWith) {
  engine::expect_described_abilities(*loaded(encoder()), "openvino");
}

TEST_F(Model, RunsAnyBatchAndLength) {
  const auto model = loaded(encoder());
  for (const schema::Shape& shape :
       {schema::Shape{1, 3}, schema::Shape{5, 17}, schema::Shape{2, 4}}) {
    const auto batch = model->prepare(shape);
    ASSERT_TRUE(batch) << base::to_string(batch.error());
    sink_.names.clear();
    const auto ran = model->run(**batch, sink_);
    ASSERT_TRUE(ran) << base::to_string(ran.error());
    EXPECT_THAT(sink_.names, ElementsAre("h2d", "forward", "d2h"));
  }
}

TEST_F(Model, MakesTheInputsOfTheSeed) {
  const auto model = loaded(encoder());
  const auto batch = model->prepare({2, 4});
  ASSERT_TRUE(batch);
  const auto inputs =
      engine::make_inputs(model->as<engine::TakesTensors>()->inputs(), {2, 4}, 0, 3);
  EXPECT_EQ(static_cast<BatchCycle&>(**batch).batches().front().front().data, inputs->front().data);
}

TEST_F(Model, RunsTheBatchesOfACycleInTurn) {
  const auto model = loaded(encoder());
  const auto batch = model->prepare({2, std::nullopt, "mix", {3, 5, 4, 1}});
  ASSERT_TRUE(batch) << base::to_string(batch.error());
  EXPECT_EQ((*batch)->cycle(), 2);
  EXPECT_EQ((*batch)->tokens(), (schema::Tokens{13, 18, 2}));
  auto& cycle = static_cast<BatchCycle&>(**batch);
  EXPECT_EQ(cycle.take().front().get_shape(), (ov::Shape{2, 5}));
  EXPECT_EQ(cycle.take().front().get_shape(), (ov::Shape{2, 4}));
  EXPECT_EQ(cycle.take().front().get_shape(), (ov::Shape{2, 5}));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(model->run(**batch, sink_));
}

TEST_F(Model, NamesTheBatchSizeThatIsFixed) {
  const auto model = loaded(matrix(2));
  EXPECT_TRUE(model->prepare({2, {}}));
  const auto batch = model->prepare({3, {}});
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().kind, base::ErrorKind::failed);
  EXPECT_THAT(batch.error().what, HasSubstr("batches of exactly 2"));
  EXPECT_THAT(batch.error().fix, HasSubstr("dynamic batch"));
}

TEST_F(Model, SaysWhatOpenvinoThrew) {
  const auto model = loaded(matrix());
  const auto batch = model->prepare({2, {}});
  ASSERT_TRUE(batch);
  auto& tensors = const_cast<std::vector<ov::Tensor>&>(static_cast<BatchCycle&>(**batch).take());
  tensors.front() = ov::Tensor(ov::element::f32, {2, 9});
  const auto ran = model->run(**batch, sink_);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().kind, base::ErrorKind::failed);
  EXPECT_THAT(ran.error().what, testing::Not(HasSubstr("Exception from")));
}

// Which implementation ran tells in what type: OpenVINO would pick bf16 by itself where there is
// it.
TEST_F(Model, ComputesInThePrecisionThatWasAskedFor) {
  for (const auto& [precision, mark] :
       {std::pair{schema::Precision::fp32, "f32"}, std::pair{schema::Precision::bf16, "bf16"}}) {
    if (precision == schema::Precision::bf16 && !has(ov::device::capability::BF16)) continue;
    const auto model = loaded(encoder(), precision);
    const auto batch = model->prepare({4, 16});
    ASSERT_TRUE(batch);
    schema::Diagnosis diagnosis;
    const auto seen = model->as<engine::Diagnoses>()->diagnose(**batch, {}, diagnosis);
    ASSERT_TRUE(seen) << base::to_string(seen.error());
    bool product = false;
    for (const schema::Primitive& each : diagnosis.primitives) {
      if (each.kind != "inner_product" && each.kind != "matmul") continue;
      product = true;
      EXPECT_TRUE(each.implementation.ends_with(std::string("_") + mark)) << each.implementation;
    }
    EXPECT_TRUE(product);
  }
}

TEST_F(Model, RefusesAPrecisionThatTheDeviceLacks) {
  if (has(ov::device::capability::FP16)) GTEST_SKIP() << "this processor computes in fp16";
  engine::ModelSpec spec;
  spec.path = folder_.file("model.xml");
  save(matrix(), spec.path);
  engine::ExecutionSpec execution;
  execution.precision = schema::Precision::fp16;
  const auto made = engine_.load(spec, execution);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().where, "--precision");
}

TEST_F(Model, DiagnosesByLayer) {
  const auto model = loaded(encoder());
  const auto batch = model->prepare({64, 256});
  schema::Diagnosis diagnosis;
  const auto seen = model->as<engine::Diagnoses>()->diagnose(**batch, {}, diagnosis);
  ASSERT_TRUE(seen) << base::to_string(seen.error());
  EXPECT_EQ(diagnosis.tracer, "openvino");
  EXPECT_GE(diagnosis.traced_iterations, 3);
  EXPECT_EQ(diagnosis.logged_iterations, diagnosis.traced_iterations);
  EXPECT_GT(diagnosis.traced_ns, 0);
  ASSERT_FALSE(diagnosis.operations.empty());
  for (const schema::Operation& each : diagnosis.operations) {
    EXPECT_EQ(each.calls, diagnosis.traced_iterations) << each.name;
  }
  std::vector<std::string> kinds;
  for (const schema::Primitive& each : diagnosis.primitives) kinds.push_back(each.kind);
  EXPECT_THAT(kinds, Contains("gather"));
  EXPECT_THAT(kinds, Contains("inner_product"));
}

}  // namespace
}  // namespace batchscope::openvino_plugin
