#include "batchscope/device/memory_room.hpp"

#include <gtest/gtest.h>

#include "fixture_root.hpp"

namespace batchscope::device {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

// One GPU of 80 GiB, of which so much is in use.
class Gpu final : public GpuMonitor {
 public:
  explicit Gpu(int64_t used) : used_(used) {}
  bool available() const override { return true; }
  std::string why_absent() const override { return {}; }
  std::string how_to_get() const override { return {}; }
  std::optional<std::string> driver_version() const override { return std::nullopt; }
  int count() const override { return 1; }
  GpuInfo info(int) const override {
    GpuInfo info;
    info.memory_bytes = 80 * kGiB;
    return info;
  }
  GpuSample sample(int) const override {
    GpuSample sample;
    sample.memory_used_bytes = used_;
    return sample;
  }

 private:
  int64_t used_;
};

MemoryRoom of_gpu(int64_t used) {
  return memory_room(base::SystemRoot(), Gpu(used), "cuda:0");
}

TEST(MemoryRoom, OfAGpuIsAllOfItWhereOnlyDriversHoldSome) {
  EXPECT_EQ(of_gpu(0).bytes, 80 * kGiB);
  EXPECT_EQ(of_gpu(kGiB).bytes, 80 * kGiB);
  EXPECT_EQ(of_gpu(kGiB).of, "the memory of cuda:0");
  EXPECT_FALSE(of_gpu(0).held);
}

TEST(MemoryRoom, OfAGpuThatOthersUseIsWhatTheyLeave) {
  EXPECT_EQ(of_gpu(60 * kGiB).bytes, 20 * kGiB);
  EXPECT_EQ(of_gpu(60 * kGiB).of, "the memory of cuda:0 that others leave");
}

TEST(MemoryRoom, OfNoGpuIsNotKnown) {
  EXPECT_EQ(memory_room(base::SystemRoot(), *absent_gpu_monitor("", ""), "cuda:0").bytes, 0);
}

TEST(MemoryRoom, OfTheHostIsNineTenthsOfWhatIsAvailableInWholeSteps) {
  FixtureRoot machine;
  machine.write("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n");
  const MemoryRoom room = memory_room(machine.root(), *absent_gpu_monitor("", ""), "cpu");
  EXPECT_EQ(room.bytes, 14 * kGiB / 4);  // 3.6 GiB, in steps of 256 MiB
  EXPECT_TRUE(room.held);
}

}  // namespace
}  // namespace batchscope::device
