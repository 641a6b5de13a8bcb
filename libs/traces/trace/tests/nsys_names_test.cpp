#include <gtest/gtest.h>

#include "nsys/names.hpp"
#include "nsys/occupancy.hpp"
#include "nsys_export.hpp"

namespace batchscope::trace {
namespace {

TEST(NsysNames, OnlyTheVersionOfTheRuntimeIsTakenOff) {
  for (const auto& [name, shown] : {std::pair{"cudaMemcpyAsync_v3020", "cudaMemcpyAsync"},
                                    {"cudaLaunchKernelExC_v11060", "cudaLaunchKernelExC"},
                                    {"cudaLaunchKernel_ptsz_v7000", "cudaLaunchKernel_ptsz"},
                                    {"cuMemAlloc_v2", "cuMemAlloc_v2"},
                                    {"cublasSgemm_v2", "cublasSgemm_v2"},
                                    {"kernel_12345", "kernel_12345"},
                                    {"v1234", "v1234"},
                                    {"1234", "1234"},
                                    {"_v1234", ""},
                                    {"", ""}}) {
    EXPECT_EQ(without_version(name), shown) << name;
  }
}

TEST(NsysNames, WhatIsNoUtf8IsAQuestionMark) {
  EXPECT_EQ(readable_name("caf\xc3\xa9"), "caf\xc3\xa9");
  EXPECT_EQ(readable_name("a\xff\xc3"), "a??");
}

TEST(NsysNames, ALongOneIsCutBetweenCharacters) {
  std::string longest(4095, 'x');
  longest += "\xc3\xa9\xc3\xa9";
  const Trace trace =
      Export(std::string(kStrings) + kNvtxTable + "INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, '" +
             longest + "', 16777218, NULL);")
          .read();
  ASSERT_EQ(trace.activities.size(), 1u);
  EXPECT_EQ(trace.name_of(0), std::string(4095, 'x'));
}

// What torch's profiler, with CUDA's own calculator, said of launches on four kinds of device.
TEST(Occupancy, IsWhatTheCalculatorOfCudaSays) {
  struct Case {
    Device device;
    int64_t grid;
    int32_t threads;
    int32_t registers;
    int64_t shared;
    int32_t blocks;
    double occupancy;
  };
  const auto device = [](int major, int multiprocessors, int64_t warps, int64_t blocks,
                         int64_t shared) {
    Device made;
    made.info.compute_major = major;
    made.info.multiprocessors = multiprocessors;
    made.warps = warps;
    made.blocks = blocks;
    made.registers = 65536;
    made.shared_bytes = shared;
    return made;
  };
  const Device h100 = device(9, 132, 64, 32, 233'472);
  const Device a100 = device(8, 108, 64, 32, 167'936);
  const Device v100 = device(7, 80, 64, 32, 98'304);
  for (const Case& each :
       {Case{h100, 100'000, 256, 32, 0, 8, 1.0}, Case{h100, 132, 128, 100, 98'304, 2, 128.0 / 2048},
        Case{h100, 1'000, 384, 168, 231'424, 1, 384.0 / 2048},
        Case{h100, 100'000, 32, 100, 0, 16, 512.0 / 2048},
        Case{h100, 100'000, 64, 32, 115'712, 2, 128.0 / 2048},
        Case{h100, 100'000, 64, 32, 116'736, 1, 64.0 / 2048},
        Case{a100, 100'000, 256, 240, 147'456, 1, 256.0 / 2048},
        Case{a100, 100'000, 128, 248, 81'920, 2, 256.0 / 2048},
        Case{v100, 100'000, 512, 40, 0, 3, 1536.0 / 2048},
        Case{v100, 40, 64, 255, 49'152, 2, 0.5 * 64 / 2048}}) {
    LaunchFacts launch;
    launch.grid_blocks = each.grid;
    launch.threads_per_block = each.threads;
    launch.registers_per_thread = each.registers;
    estimate_occupancy(each.device, each.shared, launch);
    EXPECT_EQ(launch.blocks_per_multiprocessor, each.blocks) << each.threads;
    EXPECT_NEAR(launch.occupancy, each.occupancy, 1e-6) << each.threads;
  }
}

TEST(Occupancy, IsNotStatedOfWhatCannotHaveRun) {
  Device device;
  device.info.multiprocessors = 132;
  LaunchFacts launch;
  launch.grid_blocks = 1;
  launch.threads_per_block = 1024;
  launch.registers_per_thread = 255;
  estimate_occupancy(device, 0, launch);
  EXPECT_EQ(launch.multiprocessors, 132);
  EXPECT_LT(launch.occupancy, 0);
  device.info.compute_major = 9;
  device.warps = 64;
  device.blocks = 32;
  device.registers = 65536;
  device.shared_bytes = 233'472;
  estimate_occupancy(device, 0, launch);
  EXPECT_EQ(launch.blocks_per_multiprocessor, 0);
  EXPECT_LT(launch.occupancy, 0);
}

}  // namespace
}  // namespace batchscope::trace
