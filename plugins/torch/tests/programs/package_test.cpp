// Runs the AOTInductor package that tests/fixtures/make_models.py writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "batchscope/engine/input_text.hpp"
#include "testing/engines/recording_sink.hpp"
#include "testing/files/scratch_folder.hpp"
#include "torch_engine.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::HasSubstr;

class Package : public testing::Test {
 protected:
  void SetUp() override {
    spec_.name = spec_.path = std::string(TEST_MODELS) + "/mlp.pt2";
    if (!std::filesystem::exists(spec_.path)) {
      GTEST_SKIP() << spec_.path << " is not there: tests/fixtures/make_models.py writes it";
    }
    give("x", 64);
  }

  void give(std::string name, int64_t width, engine::DType dtype = engine::DType::float32) {
    engine::InputSpec input;
    input.name = std::move(name);
    input.dimensions = {{0, engine::Symbol::batch}, {width}};
    input.dtype = dtype;
    spec_.inputs = {input};
  }

  base::Result<void> run(int64_t batch_size) {
    const auto model = engine_.load(spec_, execution_);
    if (!model) return model.error();
    const auto batch = (*model)->prepare({batch_size, {}});
    if (!batch) return batch.error();
    return (*model)->run(**batch, sink_);
  }

  engine::ModelSpec spec_;
  engine::ExecutionSpec execution_;
  TorchEngine engine_;
  RecordingSink sink_;
};

TEST_F(Package, RunsAtAnyBatchSizeAndThreads) {
  for (const int64_t batch_size : {1, 2, 7}) {
    execution_.threads = batch_size == 7 ? 2 : 1;
    const auto result = run(batch_size);
    EXPECT_TRUE(result) << base::to_string(result.error());
  }
  EXPECT_THAT(sink_.names, testing::ElementsAre("forward", "forward", "forward"));
}

TEST_F(Package, TellsItsInputs) {
  spec_.inputs.clear();
  const auto inputs = engine_.inputs_of(spec_);
  ASSERT_TRUE(inputs) << base::to_string(inputs.error());
  ASSERT_EQ(inputs->size(), 1U);
  EXPECT_EQ(engine::describe(inputs->front()), "x float32 [B, 64]");
}

TEST_F(Package, IsInspected) {
  const auto info = engine_.inspect(spec_);
  ASSERT_TRUE(info) << base::to_string(info.error());
  EXPECT_EQ(info->parameters, 64 * 128 + 128 + 128 * 10 + 10);
  EXPECT_THAT(info->description, HasSubstr("1 input"));
}

TEST_F(Package, ChecksItsInputs) {
  give("x", 63);
  const auto shape = run(2);
  ASSERT_FALSE(shape);
  EXPECT_EQ(shape.error().kind, base::ErrorKind::failed);
  EXPECT_THAT(shape.error().what, HasSubstr("?(<=4096)x64"));
  give("x", 64, engine::DType::int64);
  const auto type = run(2);
  ASSERT_FALSE(type);
  EXPECT_THAT(type.error().what, HasSubstr("Long"));
  spec_.inputs.push_back(spec_.inputs[0]);
  const auto number = run(2);
  ASSERT_FALSE(number);
  EXPECT_EQ(number.error().kind, base::ErrorKind::usage);
}

TEST_F(Package, LeavesNothingInTheTemporaryFolder) {
  const ScratchFolder folder;
  ::setenv("TMPDIR", folder.file("").c_str(), 1);
  EXPECT_TRUE(run(1));
  EXPECT_TRUE(engine_.inspect(spec_));
  ::unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(folder.file("")));
}

TEST_F(Package, RefusesWhatIsCompiledInOtherwise) {
  execution_.precision = schema::Precision::bf16;
  EXPECT_THAT(run(1).error().what, HasSubstr("bf16"));
  execution_.precision = schema::Precision::fp32;
  execution_.mode = schema::Mode::train;
  EXPECT_THAT(run(1).error().what, HasSubstr("cannot be trained"));
}

TEST_F(Package, RefusesFilesThatAreSomethingElse) {
  const ScratchFolder folder;
  spec_.path = folder.write("junk.pt2", "this is no archive");
  EXPECT_EQ(run(1).error().kind, base::ErrorKind::input);
  EXPECT_EQ(engine_.inspect(spec_).error().kind, base::ErrorKind::input);
}

}  // namespace
}  // namespace batchscope::torch_plugin
