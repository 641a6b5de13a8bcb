#include "batchscope/host/machine.hpp"

#include <gmock/gmock.h>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Two GPUs, of which the second is lost.
class Gpus final : public gpu::Gpus {
 public:
  bool available() const override { return true; }
  std::string why_absent() const override { return {}; }
  std::string how_to_get() const override { return {}; }
  std::optional<std::string> driver_version() const override { return std::nullopt; }
  int count() const override { return 2; }
  gpu::Gpu read(int index) const override {
    gpu::Gpu gpu;
    gpu.index = index;
    if (index > 0) return gpu;
    gpu.name = "NVIDIA H200";
    gpu.memory_total_bytes = 150'000'000'000;
    return gpu;
  }
};

TEST(Machine, PhysicalMachine) {
  const schema::Machine machine = read_machine(FixtureRoot("xeon_2s").root(), Gpus());
  EXPECT_EQ(machine.host, "node17");
  EXPECT_EQ(machine.cpu, "Intel(R) Xeon(R) Gold 6444Y");
  EXPECT_EQ(machine.physical_cores, 8);
  EXPECT_EQ(machine.logical_cpus, 16);
  EXPECT_EQ(machine.memory_bytes, int64_t{263921456} * 1024);
  EXPECT_EQ(machine.l3_bytes, int64_t{2} * 46080 * 1024);
  EXPECT_EQ(machine.kernel, "6.1.0-18-amd64");
  EXPECT_EQ(machine.os, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_FALSE(machine.virtualised);
  EXPECT_THAT(machine.gpus, ElementsAre("NVIDIA H200", "GPU 1"));
  EXPECT_THAT(machine.gpu_memory_bytes, ElementsAre(150'000'000'000, 0)) << "one does not answer";
}

TEST(Machine, WithoutNvmlHasNoGpus) {
  const auto gpus = gpu::absent_gpus("", "");
  const schema::Machine machine = read_machine(FixtureRoot("kvm_2cpu").root(), *gpus);
  EXPECT_THAT(machine.gpus, IsEmpty());
  EXPECT_THAT(machine.gpu_memory_bytes, IsEmpty());
}

TEST(Machine, TheCpuFlagTellsAGuest) {
  const Platform platform = read_platform(FixtureRoot("kvm_2cpu").root());
  EXPECT_TRUE(platform.virtualised);
  EXPECT_EQ(platform.hypervisor, "");
  EXPECT_FALSE(platform.container);
}

TEST(Machine, FirmwareTellsAGuestWithoutTheFlag) {
  const Platform platform = read_platform(FixtureRoot("arm_vm").root());
  EXPECT_TRUE(platform.virtualised);
  EXPECT_EQ(platform.hypervisor, "Amazon EC2");
  EXPECT_EQ(platform.os, "Ubuntu 24.04 LTS");
}

TEST(Machine, BareMetalOfACloudIsNoGuest) {
  FixtureRoot fixture("arm_vm");
  fixture.write("/sys/class/dmi/id/product_name", "m6g.metal\n");
  EXPECT_FALSE(read_platform(fixture.root()).virtualised);
}

TEST(Machine, AContainerIsSeen) {
  EXPECT_TRUE(read_platform(FixtureRoot("cgroup_v1_quota").root()).container);
}

TEST(Machine, MemoryInBytes) {
  const MemoryInfo memory = read_memory_info(FixtureRoot("arm_vm").root());
  EXPECT_EQ(memory.total_bytes, int64_t{15896000} * 1024);
  EXPECT_EQ(memory.available_bytes, int64_t{900000} * 1024);
}

TEST(Machine, SwapInUseIsWhatIsNotFree) {
  FixtureRoot fixture;
  fixture.write("/proc/meminfo", "SwapTotal:  100 kB\nSwapFree:  30 kB\n");
  EXPECT_EQ(read_memory_info(fixture.root()).swap_used_bytes, 70 * 1024);
  fixture.write("/proc/meminfo", "MemTotal:  100 kB\n");
  EXPECT_EQ(read_memory_info(fixture.root()).swap_used_bytes, std::nullopt);
}

TEST(Machine, NothingIsInvented) {
  const FixtureRoot empty;
  EXPECT_EQ(read_memory_info(empty.root()).total_bytes, std::nullopt);
  const Platform platform = read_platform(empty.root());
  EXPECT_EQ(platform.os, "");
  EXPECT_FALSE(platform.virtualised);
}

}  // namespace
}  // namespace batchscope::host
