#include "batchscope/host/available_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

// One GPU of 80 GiB, of which so much is in use; others that do not answer.
class Gpu final : public gpu::Gpus {
 public:
  explicit Gpu(int64_t used) : used_(used) {}
  bool available() const override { return true; }
  std::string why_absent() const override { return {}; }
  std::string how_to_get() const override { return {}; }
  std::optional<std::string> driver_version() const override { return std::nullopt; }
  int count() const override { return 1; }
  gpu::Gpu read(int index) const override {
    gpu::Gpu gpu;
    if (index == 0) gpu.memory_total_bytes = 80 * kGiB;
    gpu.memory_used_bytes = used_;
    gpu.divided = index == 2;
    return gpu;
  }

 private:
  int64_t used_;
};

AvailableMemory of_gpu(int64_t used) {
  return memory_room(base::SystemRoot(), Gpu(used), "cuda:0");
}

TEST(AvailableMemory, OfAGpuIsAllOfItWhereOnlyDriversHoldSome) {
  EXPECT_EQ(of_gpu(0).bytes, 80 * kGiB);
  EXPECT_EQ(of_gpu(kGiB).bytes, 80 * kGiB);
  EXPECT_EQ(of_gpu(kGiB).of, "the memory of cuda:0");
  EXPECT_FALSE(of_gpu(0).held);
}

TEST(AvailableMemory, OfAGpuThatOthersUseIsWhatTheyLeave) {
  EXPECT_EQ(of_gpu(60 * kGiB).bytes, 20 * kGiB);
  EXPECT_EQ(of_gpu(60 * kGiB).of, "the free memory of cuda:0");
}

TEST(AvailableMemory, OfAGpuThatNvmlDoesNotTellOfIsNotKnown) {
  const AvailableMemory absent =
      memory_room(base::SystemRoot(), *gpu::absent_gpus("no driver", ""), "cuda:0");
  EXPECT_EQ(absent.bytes, 0);
  EXPECT_EQ(absent.of, "the memory of cuda:0, which is unknown: no driver");
  const AvailableMemory silent = memory_room(base::SystemRoot(), Gpu(0), "cuda:1");
  EXPECT_EQ(silent.bytes, 0);
  EXPECT_THAT(silent.of, testing::EndsWith("NVML does not report it for GPU 1"));
}

TEST(AvailableMemory, OfASliceOrAHiddenGpuIsNotKnown) {
  const AvailableMemory slice = memory_room(base::SystemRoot(), Gpu(0), "cuda:2");
  EXPECT_EQ(slice.bytes, 0);
  EXPECT_THAT(slice.of, testing::EndsWith("GPU 2 is divided into slices (MIG)"));
  setenv("CUDA_VISIBLE_DEVICES", "1,0", 1);
  EXPECT_EQ(memory_room(base::SystemRoot(), Gpu(0), "cuda:0").bytes, 0) << "it is GPU 1";
  EXPECT_EQ(memory_room(base::SystemRoot(), Gpu(0), "cuda:1").bytes, 80 * kGiB);
  EXPECT_EQ(memory_room(base::SystemRoot(), Gpu(0), "cuda:2").bytes, 0);
  unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST(AvailableMemory, OfAnAcceleratorOfAnotherMakerIsNotNvmls) {
  for (const char* const device : {"xpu:0", "gpu:0", "mtia:0"}) {
    const AvailableMemory room = memory_room(base::SystemRoot(), Gpu(0), device);
    EXPECT_EQ(room.bytes, 0) << device;
    EXPECT_EQ(room.of, "the memory of " + std::string(device) +
                           ", which is unknown: NVML knows only NVIDIA GPUs");
    EXPECT_FALSE(room.held);
  }
}

TEST(AvailableMemory, OfTheHostIsNineTenthsOfWhatIsAvailableInFullSteps) {
  FixtureRoot machine;
  machine.write("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n");
  const AvailableMemory room = memory_room(machine.root(), *gpu::absent_gpus("", ""), "cpu");
  EXPECT_EQ(room.bytes, 14 * kGiB / 4);  // 3.6 GiB, in steps of 256 MiB
  EXPECT_TRUE(room.held);
}

}  // namespace
}  // namespace batchscope::host
