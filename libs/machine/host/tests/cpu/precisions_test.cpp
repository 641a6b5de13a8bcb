#include "batchscope/host/precisions.hpp"

#include <gmock/gmock.h>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

using schema::Precision;
using ::testing::ElementsAre;

std::vector<Precision> of_cpu(const std::string& flags) {
  FixtureRoot machine;
  machine.write("proc/cpuinfo", "processor\t: 0\nflags\t\t: " + flags + "\n");
  return fast_precisions("cpu", machine.root(), *gpu::absent_gpus("", ""));
}

// GPUs of these compute capabilities; 0: it cannot be told.
class Gpus final : public gpu::Gpus {
 public:
  explicit Gpus(std::vector<int> capabilities) : capabilities_(std::move(capabilities)) {}
  bool available() const override { return true; }
  std::string why_absent() const override { return {}; }
  std::string how_to_get() const override { return {}; }
  std::optional<std::string> driver_version() const override { return std::nullopt; }
  int count() const override { return static_cast<int>(capabilities_.size()); }
  gpu::Gpu read(int index) const override {
    gpu::Gpu gpu;
    const int capability = capabilities_[static_cast<std::size_t>(index)];
    if (capability > 0) gpu.compute_capability = capability;
    return gpu;
  }

 private:
  std::vector<int> capabilities_;
};

std::vector<Precision> of_gpus(std::vector<int> capabilities) {
  return fast_precisions("cuda:0", base::SystemRoot(), Gpus(std::move(capabilities)));
}

TEST(FastPrecisions, OfAProcessorFollowFromItsInstructions) {
  EXPECT_THAT(of_cpu("fpu avx512f avx512_bf16 sse"), ElementsAre(Precision::fp32, Precision::bf16));
  EXPECT_THAT(of_cpu("fpu avx512f amx_bf16"), ElementsAre(Precision::fp32, Precision::bf16));
  EXPECT_THAT(of_cpu("fpu avx512f avx512_bf16x"), ElementsAre(Precision::fp32));
  EXPECT_THAT(of_cpu("fpu avx2"), ElementsAre(Precision::fp32));
}

TEST(FastPrecisions, OfGpusAreThoseOfTheOldest) {
  EXPECT_THAT(of_gpus({9}), ElementsAre(Precision::fp32, Precision::bf16));
  EXPECT_THAT(of_gpus({9, 7}), ElementsAre(Precision::fp32, Precision::fp16));
  EXPECT_THAT(of_gpus({9, 0}), ElementsAre(Precision::fp32, Precision::bf16, Precision::fp16));
  EXPECT_THAT(of_gpus({}), ElementsAre(Precision::fp32, Precision::bf16, Precision::fp16));
}

TEST(FastPrecisions, OfAnotherAcceleratorAreNotThoseOfTheGpus) {
  for (const char* const device : {"xpu:0", "gpu", "cudax:0"}) {
    EXPECT_THAT(fast_precisions(device, base::SystemRoot(), Gpus({9})),
                ElementsAre(Precision::fp32))
        << device;
  }
}

}  // namespace
}  // namespace batchscope::host
