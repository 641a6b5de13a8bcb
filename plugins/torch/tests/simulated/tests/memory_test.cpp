// Memory of a device as the engine tells it, and the end of it.
#include <ATen/ATen.h>
#include <ATen/DeviceAccelerator.h>
#include <gmock/gmock.h>
#include <torch/csrc/jit/api/module.h>

#include "libtorch/errors.hpp"
#include "on_simulated.hpp"

namespace batchscope::simulated {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

class DeviceMemory : public OnSimulated {
 protected:
  at::Tensor bytes(int64_t n) {
    return at::empty({n}, at::TensorOptions(device_).dtype(at::kByte));
  }
  ~DeviceMemory() override { at::accelerator::emptyCache(); }
};

TEST_F(DeviceMemory, PeaksAreThoseSinceTheReset) {
  const auto model = load("mlp");
  const auto large = *model->prepare({512, {}}), small = *model->prepare({4, {}});
  ASSERT_TRUE(model->run(*small, sink_));
  model->reset_memory_peaks();
  ASSERT_TRUE(model->run(*small, sink_));
  const auto before = model->memory();
  ASSERT_TRUE(model->run(*large, sink_));
  model->reset_memory_peaks();
  ASSERT_TRUE(model->run(*small, sink_));
  const auto after = model->memory();
  EXPECT_EQ(after.peak_allocated_bytes, before.peak_allocated_bytes);
  EXPECT_EQ(after.device_allocations, 0);
}

// In a process of its own, where nothing has used the device yet.
TEST_F(DeviceMemory, AModelWithoutWeightsHasPeaksToo) {
  const std::string path = testing::TempDir() + "doubled.pt";
  torch::jit::Module module("doubled");
  module.define("def forward(self, x):\n    return x * 2\n");
  module.save(path);
  engine::ModelSpec spec;
  spec.path = path;
  spec.inputs = {*engine::parse_input_spec("x:Bx8")};
  auto model = engine_.load(spec, execution_);
  ASSERT_TRUE(model) << base::to_string(model.error());
  EXPECT_NO_THROW((*model)->reset_memory_peaks());
  EXPECT_EQ((*model)->memory().peak_allocated_bytes, 0);
}

TEST_F(DeviceMemory, AllocationsOfTheDeviceAreCounted) {
  const auto model = load("mlp");
  const auto batch = *model->prepare({512, {}});
  model->reset_memory_peaks();
  ASSERT_TRUE(model->run(*batch, sink_));
  EXPECT_GT(model->memory().device_allocations.value_or(0), 0);
  model->reset_memory_peaks();
  ASSERT_TRUE(model->run(*batch, sink_));
  EXPECT_EQ(model->memory().device_allocations, 0) << "the cache has what it needs";
}

TEST_F(DeviceMemory, TheCacheIsGivenBackBeforeMemoryRunsOut) {
  { const at::Tensor cached = bytes(300 * kMiB); }
  EXPECT_NO_THROW(bytes(400 * kMiB));
}

TEST_F(DeviceMemory, TheEndOfItIsAnErrorOfItsOwnKind) {
  const auto result =
      torch_plugin::guarded(base::ErrorKind::failed, "", "", [&]() -> base::Result<void> {
        bytes(600 * kMiB);
        return {};
      });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::out_of_memory);
  EXPECT_THAT(result.error().what, testing::HasSubstr("out of memory"));
  EXPECT_THAT(result.error().fix, testing::Not(testing::HasSubstr("--memory-limit")))
      << "that is the host's";
}

TEST_F(DeviceMemory, AModelWorksOnAfterABatchThatDidNotFit) {
  const auto model = load("mlp");
  const auto fits = *model->prepare({4, {}}), too_large = *model->prepare({40'000, {}});
  const auto failed = model->run(*too_large, sink_);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, base::ErrorKind::out_of_memory);
  sink_ = {};
  ASSERT_TRUE(model->run(*fits, sink_));
  EXPECT_THAT(sink_.names, testing::ElementsAre("h2d", "forward", "d2h", "sync"));
}

}  // namespace
}  // namespace batchscope::simulated
