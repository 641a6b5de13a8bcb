#include "batchscope/device/gpu_monitor.hpp"

#include <gmock/gmock.h>

#include "batchscope/device/cuda_driver.hpp"
#include "fake_gpus.hpp"

namespace batchscope::device {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

TEST(GpuMonitor, ReadsAGpuThatSupportsEverything) {
  const auto monitor = open_gpu_monitor(FAKE_NVML);
  ASSERT_TRUE(monitor->available()) << monitor->why_absent();
  EXPECT_EQ(monitor->count(), 3);
  EXPECT_EQ(monitor->driver_version(), "580.65.06");
  const GpuInfo info = monitor->info(0);
  EXPECT_EQ(info.name, "NVIDIA H200");
  EXPECT_EQ(info.uuid, "GPU-0a1b");
  EXPECT_EQ(info.memory_bytes, 1000);
  EXPECT_EQ(info.compute_capability, 9);
  EXPECT_EQ(info.max_sm_clock_mhz, 1980);
  EXPECT_EQ(info.default_sm_clock_mhz, 1830);
  const GpuSample sample = monitor->sample(0);
  EXPECT_EQ(sample.memory_used_bytes, 600);
  EXPECT_EQ(sample.sm_clock_mhz, 1200);
  EXPECT_EQ(sample.temperature_celsius, 41);
  EXPECT_EQ(sample.power_watts, 123.5);
  EXPECT_EQ(sample.idle, true);
  EXPECT_THAT(sample.throttle_reasons,
              Optional(ElementsAre(ThrottleReason::power_cap, ThrottleReason::unknown)));
  EXPECT_EQ(sample.compute_processes, 2);
}

void expect_empty(const GpuSample& sample) {
  EXPECT_EQ(sample.memory_used_bytes, std::nullopt);
  EXPECT_EQ(sample.sm_clock_mhz, std::nullopt);
  EXPECT_EQ(sample.temperature_celsius, std::nullopt);
  EXPECT_EQ(sample.power_watts, std::nullopt);
  EXPECT_EQ(sample.idle, std::nullopt);
  EXPECT_EQ(sample.throttle_reasons, std::nullopt);
  EXPECT_EQ(sample.compute_processes, std::nullopt);
}

TEST(GpuMonitor, WhatIsNotSupportedIsAbsent) {
  const auto monitor = open_gpu_monitor(FAKE_NVML);
  const GpuInfo info = monitor->info(1);
  EXPECT_EQ(info.name, "NVIDIA Plain");
  EXPECT_EQ(info.uuid, std::nullopt);
  EXPECT_EQ(info.memory_bytes, std::nullopt);
  EXPECT_EQ(info.compute_capability, std::nullopt);
  EXPECT_EQ(info.default_sm_clock_mhz, std::nullopt);
  expect_empty(monitor->sample(1));
}

TEST(GpuMonitor, ALostGpuLeavesTheOthersTheirNumbers) {
  const auto monitor = open_gpu_monitor(FAKE_NVML);
  EXPECT_EQ(monitor->info(2).name, std::nullopt);
  expect_empty(monitor->sample(2));
  EXPECT_THAT(gpu_names(*monitor), ElementsAre("NVIDIA H200", "NVIDIA Plain", "GPU 2"));
}

TEST(GpuMonitor, AGpuThatIsLostLaterHasNoNumbersFromThenOn) {
  const FakeGpus machine("gpu_lost_later");
  const auto monitor = open_gpu_monitor(FAKE_NVML);
  EXPECT_EQ(monitor->info(0).memory_bytes, 1000);
  EXPECT_EQ(monitor->sample(0).memory_used_bytes, 600);
  expect_empty(monitor->sample(0));
  EXPECT_EQ(monitor->info(0).name, std::nullopt);
  EXPECT_EQ(monitor->sample(1).memory_used_bytes, 600);
}

TEST(GpuMonitor, WhatIsRefusedIsAbsentAndTheRestIsThere) {
  const FakeGpus machine("gpu_refuses");
  const auto monitor = open_gpu_monitor(FAKE_NVML);
  EXPECT_EQ(monitor->info(0).name, "NVIDIA H100");
  EXPECT_EQ(monitor->info(0).memory_bytes, std::nullopt);
  EXPECT_EQ(monitor->sample(0).memory_used_bytes, std::nullopt);
  EXPECT_EQ(monitor->sample(0).compute_processes, std::nullopt);
  EXPECT_EQ(monitor->sample(0).sm_clock_mhz, 1200);
}

TEST(GpuMonitor, OfADividedGpuTheWholeIsNotTold) {
  const FakeGpus machine("divided_gpu");
  const auto monitor = open_gpu_monitor(FAKE_NVML);
  EXPECT_TRUE(monitor->info(0).divided);
  EXPECT_EQ(monitor->info(0).name, "NVIDIA H100");
  EXPECT_EQ(monitor->info(0).memory_bytes, std::nullopt);
  expect_empty(monitor->sample(0));
}

TEST(GpuMonitor, SeveralMonitorsShareNvml) {
  const auto monitor = open_gpu_monitor(FAKE_NVML);
  open_gpu_monitor(FAKE_NVML);
  EXPECT_EQ(monitor->info(0).name, "NVIDIA H200");
  EXPECT_EQ(monitor->driver_version(), "580.65.06");
}

TEST(GpuMonitor, AnIndexOutOfRangeIsEmpty) {
  const auto monitor = open_gpu_monitor(FAKE_NVML);
  expect_empty(monitor->sample(-1));
  expect_empty(monitor->sample(3));
}

TEST(GpuMonitor, WithoutTheLibraryItSaysHowToGetIt) {
  const auto monitor = open_gpu_monitor("/nonexistent/libnvidia-ml.so.1");
  EXPECT_FALSE(monitor->available());
  EXPECT_THAT(monitor->why_absent(), HasSubstr("/nonexistent/libnvidia-ml.so.1"));
  EXPECT_THAT(monitor->how_to_get(), HasSubstr("driver"));
  EXPECT_EQ(monitor->count(), 0);
  EXPECT_EQ(monitor->driver_version(), std::nullopt);
  EXPECT_EQ(monitor->info(0).name, std::nullopt);
  expect_empty(monitor->sample(0));
  EXPECT_THAT(gpu_names(*monitor), IsEmpty());
}

TEST(GpuMonitor, WithoutTheDriverItSaysSo) {
  const FakeGpus machine("no_driver");
  const auto monitor = open_gpu_monitor(FAKE_NVML);
  EXPECT_FALSE(monitor->available());
  EXPECT_THAT(monitor->why_absent(), HasSubstr("Driver Not Loaded"));
  EXPECT_THAT(monitor->how_to_get(), HasSubstr("modprobe"));
}

TEST(GpuMonitor, AnotherLibraryIsRefused) {
  const auto monitor = open_gpu_monitor(FAKE_CUDA);
  EXPECT_FALSE(monitor->available());
  EXPECT_THAT(monitor->why_absent(), HasSubstr("not a usable NVML"));
}

TEST(CudaDriver, Version) {
  EXPECT_EQ(cuda_driver_version(FAKE_CUDA).value_or("none"), "13.2");
}

TEST(CudaDriver, AbsentOrBrokenSaysHowToGetIt) {
  const FakeGpus machine("no_driver");
  for (const char* library : {"/nonexistent/libcuda.so.1", FAKE_CUDA, FAKE_NVML}) {
    const auto version = cuda_driver_version(library);
    ASSERT_FALSE(version) << library;
    EXPECT_EQ(version.error().where, library);
    EXPECT_THAT(version.error().fix, HasSubstr("driver"));
  }
}

}  // namespace
}  // namespace batchscope::device
