#include "torch_engine.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/engine/abilities.hpp"
#include "testing/engines/recording_sink.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

engine::ModelSpec builtin(std::string name) {
  engine::ModelSpec spec;
  spec.name = std::move(name);
  spec.seed = 5;
  return spec;
}

TEST(TorchEngine, DescribesItself) {
  const TorchEngine engine;
  EXPECT_EQ(engine.name(), "torch");
  EXPECT_EQ(engine.clock().kind(), schema::ClockKind::steady);
  EXPECT_THAT(engine.devices(), Contains("cpu"));
  EXPECT_THAT(engine.versions().at("torch"), HasSubstr("."));
  EXPECT_EQ(engine.models().size(), 5);
}

TEST(TorchEngine, InspectsABuiltinModelWithoutMakingIt) {
  TorchEngine engine;
  const auto info = engine.inspect(builtin("bert-base"));
  ASSERT_TRUE(info);
  EXPECT_EQ(info->parameters, 109482240);
  EXPECT_THAT(info->hash, HasSubstr("fnv1a64:"));
  EXPECT_NE(info->hash, engine.inspect(builtin("distilbert"))->hash);
}

TEST(TorchEngine, RunsDistilbertEndToEnd) {
  TorchEngine engine;
  engine::ExecutionSpec execution;
  execution.threads = 2;
  const auto model = engine.load(builtin("distilbert"), execution);
  ASSERT_TRUE(model) << base::to_string(model.error());
  const auto batch = (*model)->prepare({2, 16});
  ASSERT_TRUE(batch) << base::to_string(batch.error());
  RecordingSink sink;
  for (int i = 0; i < 2; ++i) ASSERT_TRUE((*model)->run(**batch, sink));
  EXPECT_THAT(sink.names, ElementsAre("forward", "forward"));
  EXPECT_EQ(at::get_num_threads(), 2);
}

TEST(TorchEngine, TrainsInBf16) {
  TorchEngine engine;
  engine::ExecutionSpec execution;
  execution.mode = schema::Mode::train;
  execution.optimizer = "adamw";
  execution.precision = schema::Precision::bf16;
  const auto model = engine.load(builtin("minilm-l6"), execution);
  ASSERT_TRUE(model) << base::to_string(model.error());
  const auto batch = (*model)->prepare({1, 8});
  RecordingSink sink;
  ASSERT_TRUE((*model)->run(**batch, sink));
  EXPECT_TRUE((*model)->as<engine::TellsLosses>()->last_loss().has_value());
}

TEST(TorchEngine, SetsTheThreadsThatAreAskedFor) {
  TorchEngine engine;
  for (const int threads : {1, 3}) {
    engine::ExecutionSpec execution;
    execution.threads = threads;
    ASSERT_TRUE(engine.load(builtin("mlp"), execution));
    EXPECT_EQ(at::get_num_threads(), threads);
    EXPECT_EQ(at::get_num_interop_threads(), 1);
  }
}

TEST(TorchEngine, ComputesFp32WithoutRounding) {
  TorchEngine engine;
  at::globalContext().setAllowTF32CuDNN(true);
  ASSERT_TRUE(engine.load(builtin("mlp"), {}));
  EXPECT_FALSE(at::globalContext().allowTF32CuDNN());
  EXPECT_FALSE(at::globalContext().allowTF32CuBLAS());
}

TEST(TorchEngine, RefusesADeviceThatIsAbsent) {
  TorchEngine engine;
  engine::ExecutionSpec execution;
  execution.device = "cuda:99";
  const auto model = engine.load(builtin("mlp"), execution);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().kind, base::ErrorKind::failed);
  EXPECT_THAT(model.error().what, HasSubstr("cpu"));
}

TEST(TorchEngine, GivesBackNothingWhereThereIsNothing) {
  TorchEngine engine;
  engine.give_back_unused_memory("cpu");
  engine.give_back_unused_memory("cuda:99");
}

TEST(TorchEngine, RefusesAModelThatIsUnknown) {
  TorchEngine engine;
  EXPECT_EQ(engine.load(builtin("bert-huge"), {}).error().kind, base::ErrorKind::usage);
  EXPECT_EQ(engine.inspect(builtin("bert-huge")).error().kind, base::ErrorKind::usage);
}

}  // namespace
}  // namespace batchscope::torch_plugin
