// What only a machine with an accelerator can show; elsewhere every test says that it is skipped.
#include <ATen/ATen.h>
#include <ATen/DeviceAccelerator.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batches/batch.hpp"
#include "batchscope/engine/abilities.hpp"
#include "libtorch/device.hpp"
#include "libtorch/errors.hpp"
#include "libtorch/host_tensors.hpp"
#include "networks/builtin_program.hpp"
#include "testing/engines/recording_sink.hpp"
#include "torch_engine.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::ElementsAre;

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    const auto names = device_names();
    if (names.size() < 2) GTEST_SKIP() << "LibTorch sees no accelerator here";
    execution_.device = names[1];
  }

  std::unique_ptr<engine::Model> load(std::string name) {
    engine::ModelSpec spec;
    spec.name = std::move(name);
    auto model = engine_.load(spec, execution_);
    EXPECT_TRUE(model) << base::to_string(model.error());
    return *std::move(model);
  }

  engine::ExecutionSpec execution_;
  TorchEngine engine_;
  RecordingSink sink_;
};

TEST_F(Gpu, TimesInferenceByEvents) {
  const auto model = load("minilm-l6");
  const auto batch = *model->prepare({4, 64});
  ASSERT_TRUE(model->run(*batch, sink_));
  EXPECT_THAT(sink_.names, ElementsAre("h2d", "forward", "d2h", "sync"));
  for (size_t i = 0; i < 3; ++i) EXPECT_GT(sink_.device[i].value_or(0), 0) << sink_.names[i];
  EXPECT_FALSE(sink_.device[3].has_value());
}

TEST_F(Gpu, TimesTrainingByEvents) {
  execution_.mode = schema::Mode::train;
  execution_.optimizer = "adamw";
  execution_.precision = schema::Precision::bf16;
  const auto model = load("minilm-l6");
  const auto batch = *model->prepare({4, 64});
  ASSERT_TRUE(model->run(*batch, sink_));
  EXPECT_THAT(sink_.names,
              ElementsAre("h2d", "forward", "loss", "backward", "optimizer", "d2h", "sync"));
  EXPECT_TRUE(model->as<engine::TellsLosses>()->last_loss().has_value());
}

TEST_F(Gpu, TrainsOnFilesFromPinnedMemory) {
  execution_.mode = schema::Mode::train;
  execution_.optimizer = "sgd";
  execution_.accumulation = 2;
  execution_.loader = schema::Loader{"synthetic:16", 2, 2};
  const auto model = load("mlp");
  const auto batch = *model->prepare({4, {}});
  ASSERT_TRUE(static_cast<BatchSource&>(*batch).take()->inputs.front().is_pinned());
  ASSERT_TRUE(model->run(*batch, sink_));
  EXPECT_THAT(sink_.names, ElementsAre("load", "h2d", "forward", "loss", "backward", "load", "h2d",
                                       "forward", "loss", "backward", "optimizer", "d2h", "sync"));
  for (size_t i = 0; i + 1 < sink_.names.size(); ++i) EXPECT_TRUE(sink_.device[i].has_value());
}

TEST_F(Gpu, SendsBatchesAhead) {
  execution_.mode = schema::Mode::train;
  execution_.optimizer = "sgd";
  const auto losses = [&](bool ahead) {
    execution_.loader = schema::Loader{"synthetic:16", 2, 2, ahead};
    const auto model = load("mlp");
    const auto batch = *model->prepare({4, {}});
    for (int i = 0; i < 8; ++i) {
      sink_ = {};
      EXPECT_TRUE(model->run(*batch, sink_));
    }
    return model->as<engine::TellsLosses>()->first_losses();
  };
  const std::vector<double> when_wanted = losses(false), ahead = losses(true);
  EXPECT_THAT(sink_.names, ElementsAre("h2d", "forward", "loss", "backward", "load", "optimizer",
                                       "d2h", "sync"));
  ASSERT_EQ(ahead.size(), when_wanted.size());
  for (size_t i = 0; i < ahead.size(); ++i) EXPECT_NEAR(ahead[i], when_wanted[i], 1e-4);
}

TEST_F(Gpu, TrainsInFp16AndComputesLayersAgain) {
  execution_.mode = schema::Mode::train;
  execution_.optimizer = "sgd";
  execution_.precision = schema::Precision::fp16;
  const auto losses = [&](bool checkpointing) {
    execution_.checkpointing = checkpointing;
    const auto model = load("minilm-l6");
    const auto batch = *model->prepare({4, 64});
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(model->run(*batch, sink_));
    EXPECT_TRUE(model->as<engine::TellsLosses>()->skipped_steps().has_value());
    return model->as<engine::TellsLosses>()->first_losses();
  };
  const std::vector<double> without = losses(false), with = losses(true);
  ASSERT_EQ(without.size(), 4);
  ASSERT_EQ(with.size(), 4);
  for (size_t i = 0; i < with.size(); ++i) EXPECT_NEAR(with[i], without[i], 1e-3 * without[i]);
}

TEST_F(Gpu, ReportsIterationsOfASeriesWhenItWaits) {
  execution_.wait_each = false;
  const auto model = load("mlp");
  const auto batch = *model->prepare({4, {}});
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(model->run(*batch, sink_));
  EXPECT_TRUE(sink_.names.empty());
  ASSERT_TRUE(model->wait(sink_));
  EXPECT_EQ(sink_.names.size(), 9);
}

TEST_F(Gpu, CountsMemoryFromTheReset) {
  const auto model = load("mlp");
  const auto batch = *model->prepare({64, {}});
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(model->run(*batch, sink_));
  model->reset_memory_peaks();
  ASSERT_TRUE(model->run(*batch, sink_));
  const auto memory = model->memory();
  EXPECT_GT(memory.peak_allocated_bytes.value_or(0), 25175040 * 4);
  EXPECT_GE(memory.peak_reserved_bytes.value_or(0), memory.peak_allocated_bytes.value_or(0));
  EXPECT_EQ(memory.device_allocations, 0);
}

TEST_F(Gpu, GivesBackWhatALargerBatchTook) {
  const auto model = load("mlp");
  const auto peak_of = [&](int64_t batch_size) {
    engine_.give_back_unused_memory(execution_.device);
    const auto batch = *model->prepare({batch_size, {}});
    EXPECT_TRUE(model->run(*batch, sink_));
    model->reset_memory_peaks();
    EXPECT_TRUE(model->run(*batch, sink_));
    return model->memory().peak_reserved_bytes.value_or(0);
  };
  const int64_t fresh = peak_of(4);
  EXPECT_GT(peak_of(1024), fresh + fresh / 10);
  EXPECT_LE(peak_of(4), fresh + fresh / 10);
}

TEST_F(Gpu, HoldsBackMemoryThatItDoesNotCount) {
  constexpr int64_t kHeld = int64_t{32} << 20, kTooMany = int64_t{1} << 45;
  const auto model = load("mlp");
  const auto batch = *model->prepare({4, {}});
  const auto peak = [&] {
    EXPECT_TRUE(model->run(*batch, sink_));
    model->reset_memory_peaks();
    EXPECT_TRUE(model->run(*batch, sink_));
    return model->memory().peak_allocated_bytes;
  };
  const auto taken = [&] {
    const auto index = c10::Device(execution_.device).index();
    return at::accelerator::getDeviceStats(index).allocated_bytes[0].current;
  };
  const auto without = peak();
  const int64_t before = taken();
  ASSERT_TRUE(model->as<engine::HoldsBack>()->hold_back(kHeld));
  EXPECT_EQ(taken() - before, kHeld);
  EXPECT_EQ(peak(), without);
  const auto refused = model->as<engine::HoldsBack>()->hold_back(kTooMany);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::out_of_memory);
  EXPECT_EQ(taken(), before);
  ASSERT_TRUE(model->as<engine::HoldsBack>()->hold_back(kHeld));
  ASSERT_TRUE(model->as<engine::HoldsBack>()->hold_back(0));
  EXPECT_EQ(taken(), before);
}

TEST_F(Gpu, DiagnosesKernelsAndCopies) {
  const auto model = load("mlp");
  const auto batch = *model->prepare({4, {}});
  ASSERT_TRUE(model->run(*batch, sink_));
  schema::Diagnosis diagnosis;
  ASSERT_TRUE(model->as<engine::Diagnoses>()->diagnose(*batch, {}, diagnosis));
  EXPECT_GT(diagnosis.device_busy_ns.value_or(0), 0);
  EXPECT_LE(diagnosis.device_busy_ns.value_or(0), diagnosis.traced_ns);
  EXPECT_GT(diagnosis.multiprocessors.value_or(0), 0);
  int64_t kernels = 0;
  int64_t pageable_bytes = 0;
  for (const schema::Operation& operation : diagnosis.operations) {
    if (operation.pageable) pageable_bytes += operation.bytes.value_or(0);
    if (operation.kind != schema::OperationKind::kernel) continue;
    kernels += operation.calls;
    EXPECT_TRUE(operation.grid_blocks) << operation.name;
  }
  EXPECT_GE(kernels, 3 * diagnosis.traced_iterations);
  EXPECT_GE(pageable_bytes, 4 * 1024 * 4 * diagnosis.traced_iterations);
  EXPECT_TRUE(diagnosis.absent.contains("primitives"));
}

TEST_F(Gpu, ReportsExhaustedMemory) {
  const auto result = guarded(base::ErrorKind::failed, "", "", [&]() -> base::Result<void> {
    at::empty({int64_t{1} << 45}, c10::Device(execution_.device));
    return {};
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::out_of_memory);
}

// The vectors are copied to the host and used there as soon as the call returns.
TEST_F(Gpu, GivesTheOutputsThatTheCpuGives) {
  const at::Tensor input = at::rand({4, 1024});
  const std::vector<engine::Tensor> given{to_host_tensor(input, "x")};
  const auto outputs_on = [&](const std::string& device) {
    execution_.device = device;
    const auto outputs = load("mlp")->as<engine::TakesTensors>()->infer(given, {}, sink_);
    EXPECT_TRUE(outputs) << base::to_string(outputs.error());
    return *engine::to_floats(outputs->front());
  };
  const std::vector<float> there = outputs_on(execution_.device), here = outputs_on("cpu");
  ASSERT_EQ(there.size(), here.size());
  for (size_t i = 0; i < here.size(); ++i) ASSERT_NEAR(there[i], here[i], 1e-4F) << i;
}

TEST_F(Gpu, ComputesWhatTheCpuComputes) {
  const auto output_on = [&](c10::Device device) {
    const auto loaded = make_builtin(*find_builtin("distilbert"), 3, execution_, device);
    const auto batch = make_batch(loaded, {2, 32}, at::kFloat, false, 3);
    std::vector<at::Tensor> inputs;
    for (const auto& input : batch->inputs) inputs.push_back(input.to(device));
    return loaded.program->forward(inputs).at(0).cpu();
  };
  const at::Tensor difference = output_on(c10::Device(execution_.device)) - output_on(at::kCPU);
  EXPECT_LT(difference.abs().max().item<float>(), 1e-4F);
}

}  // namespace
}  // namespace batchscope::torch_plugin
