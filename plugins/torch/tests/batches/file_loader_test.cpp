#include "batches/file_loader.hpp"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/engine/abilities.hpp"
#include "batchscope/engine/description.hpp"
#include "testing/engines/recording_sink.hpp"
#include "torch_engine.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

LoadedProgram classifier() {
  LoadedProgram loaded;
  loaded.inputs = {*engine::parse_input_spec("ids:BxS:int64=0-99"),
                   *engine::parse_input_spec("mask:BxS:int64=1")};
  loaded.target = *engine::parse_input_spec("y:B:int64=0-3");
  loaded.bool_masks = true;
  return loaded;
}

std::vector<HostBatch> batches_of(int workers) {
  const LoadedProgram loaded = classifier();
  std::shared_ptr<const loading::SampleFiles> files = *loading::SampleFiles::open(
      *loading::parse_sample_source("synthetic:10,words=5"), loaded.inputs, 3);
  auto batch = FileLoader::make(files, loaded, 8, {{"", workers, 2}, 4, 3, false});
  EXPECT_TRUE(batch) << base::to_string(batch.error());
  std::vector<HostBatch> batches;
  for (int i = 0; i < 6; ++i) batches.push_back(*static_cast<BatchSource&>(**batch).take());
  return batches;
}

TEST(FileLoader, MakesTheTensorsOfTheModelsInputs) {
  const HostBatch batch = batches_of(0).front();
  ASSERT_EQ(batch.inputs.size(), 2U);
  EXPECT_EQ(batch.inputs[0].sizes(), (at::IntArrayRef{4, 8}));
  EXPECT_EQ(batch.inputs[0].scalar_type(), at::kLong);
  EXPECT_EQ(batch.inputs[1].scalar_type(), at::kBool);
  EXPECT_TRUE(at::equal(batch.inputs[1].sum(1), at::full({4}, 5)));
  ASSERT_TRUE(batch.target);
  EXPECT_EQ(batch.target->sizes(), (at::IntArrayRef{4}));
}

TEST(FileLoader, MakesTheSameBatchesWithWorkers) {
  const auto alone = batches_of(0), helped = batches_of(3);
  for (size_t i = 0; i < alone.size(); ++i) {
    EXPECT_TRUE(at::equal(alone[i].inputs[0], helped[i].inputs[0])) << i;
    EXPECT_TRUE(at::equal(*alone[i].target, *helped[i].target)) << i;
  }
  EXPECT_FALSE(at::equal(alone[0].inputs[0], alone[1].inputs[0]));
}

engine::ExecutionSpec training_on(std::string source) {
  engine::ExecutionSpec execution;
  execution.mode = schema::Mode::train;
  execution.optimizer = "sgd";
  execution.loader = schema::Loader{std::move(source), 1, 2};
  return execution;
}

TEST(FileLoader, FeedsTrainingAndIsAPhaseOfIt) {
  TorchEngine engine;
  EXPECT_TRUE(engine::describe(engine, {}).loads_files);
  engine::ModelSpec spec;
  spec.name = "mlp";
  auto execution = training_on("synthetic:16");
  execution.accumulation = 2;
  const auto model = engine.load(spec, execution);
  ASSERT_TRUE(model) << base::to_string(model.error());
  const auto batch = (*model)->prepare({2, {}});
  ASSERT_TRUE(batch) << base::to_string(batch.error());
  RecordingSink sink;
  ASSERT_TRUE((*model)->run(**batch, sink));
  EXPECT_THAT(sink.names, ElementsAre("load", "forward", "loss", "backward", "load", "forward",
                                      "loss", "backward", "optimizer"));
  EXPECT_TRUE((*model)->as<engine::TellsLosses>()->last_loss().has_value());
}

TEST(FileLoader, SaysWhatIsWrongWithTheFiles) {
  TorchEngine engine;
  engine::ModelSpec spec;
  spec.name = "mlp";
  const auto model = engine.load(spec, training_on("/nowhere/at/all"));
  ASSERT_TRUE(model);
  const auto batch = (*model)->prepare({2, {}});
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().where, "/nowhere/at/all");
  auto inference = training_on("synthetic:4");
  inference.mode = schema::Mode::infer;
  EXPECT_EQ(engine.load(spec, inference).error().kind, base::ErrorKind::usage);
}

}  // namespace
}  // namespace batchscope::torch_plugin
