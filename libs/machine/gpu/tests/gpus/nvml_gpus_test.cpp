#include <gmock/gmock.h>

#include "batchscope/gpu/cuda_driver.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "described_gpus.hpp"
#include "driver/library.hpp"
#include "reading/gpu_reader.hpp"
#include "testing/machines/fake_gpus.hpp"

namespace batchscope::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Gpus, OneThatSupportsEverything) {
  const auto gpus = open_gpus(FAKE_NVML);
  ASSERT_TRUE(gpus->available()) << gpus->why_absent();
  EXPECT_EQ(gpus->count(), 3);
  EXPECT_EQ(gpus->driver_version(), "580.65.06");
  const Gpu gpu = gpus->read(0);
  EXPECT_EQ(gpu.name, "NVIDIA H200");
  EXPECT_EQ(gpu.uuid, "GPU-0a1b");
  EXPECT_EQ(gpu.compute_capability, 9);
  EXPECT_EQ(gpu.memory_total_bytes, 1000);
  EXPECT_EQ(gpu.memory_used_bytes, 600);
  EXPECT_EQ(gpu.sm_clock_hertz, 1200e6);
  EXPECT_EQ(gpu.usual_sm_clock_hertz, 1830e6);
  EXPECT_THAT(gpu.slowdowns, ElementsAre("power cap")) << "being idle is none";
  EXPECT_EQ(gpu.compute_processes, 2);
}

void expect_silent(const Gpu& gpu) {
  EXPECT_EQ(gpu.name, std::nullopt);
  EXPECT_EQ(gpu.memory_total_bytes, std::nullopt);
  EXPECT_EQ(gpu.memory_used_bytes, std::nullopt);
  EXPECT_EQ(gpu.sm_clock_hertz, std::nullopt);
  EXPECT_THAT(gpu.slowdowns, IsEmpty());
  EXPECT_EQ(gpu.compute_processes, std::nullopt);
}

TEST(Gpus, WhatIsNotSupportedIsAbsent) {
  Gpu gpu = open_gpus(FAKE_NVML)->read(1);
  EXPECT_EQ(gpu.name, "NVIDIA Plain");
  EXPECT_EQ(gpu.uuid, std::nullopt);
  EXPECT_EQ(gpu.compute_capability, std::nullopt);
  EXPECT_EQ(gpu.usual_sm_clock_hertz, std::nullopt);
  gpu.name.reset();
  expect_silent(gpu);
}

TEST(Gpus, OneThatIsLostLeavesTheOthersTheirNumbers) {
  const auto gpus = open_gpus(FAKE_NVML);
  expect_silent(gpus->read(2));
  EXPECT_THAT(gpu_names(read_all(*gpus)), ElementsAre("NVIDIA H200", "NVIDIA Plain", "GPU 2"));
}

TEST(Gpus, OneThatIsLostLaterHasNoNumbersFromThenOn) {
  const FakeGpus machine("gpu_lost_later");
  const auto gpus = open_gpus(FAKE_NVML);
  EXPECT_EQ(gpus->read(0).memory_used_bytes, 600);
  expect_silent(gpus->read(0));
  EXPECT_EQ(gpus->read(1).memory_used_bytes, 600);
}

TEST(Gpus, WhatIsRefusedIsAbsentAndTheRestIsThere) {
  const FakeGpus machine("gpu_refuses");
  const Gpu gpu = open_gpus(FAKE_NVML)->read(0);
  EXPECT_EQ(gpu.name, "NVIDIA H100");
  EXPECT_EQ(gpu.memory_total_bytes, std::nullopt);
  EXPECT_EQ(gpu.memory_used_bytes, std::nullopt);
  EXPECT_EQ(gpu.compute_processes, std::nullopt);
  EXPECT_EQ(gpu.sm_clock_hertz, 1200e6);
}

TEST(Gpus, OfADividedOneTheFullIsAbsent) {
  const FakeGpus machine("divided_gpu");
  Gpu gpu = open_gpus(FAKE_NVML)->read(0);
  EXPECT_TRUE(gpu.divided);
  EXPECT_EQ(gpu.name, "NVIDIA H100");
  gpu.name.reset();
  expect_silent(gpu);
}

// What the driver keeps for itself is nobody's use, as for a monitor.
TEST(Gpus, WhatTheDriverReservesIsNotUsed) {
  const FakeGpus machine("eight_h100");
  const Gpu gpu = open_gpus(FAKE_NVML)->read(0);
  auto library = nvml::Library::load(FAKE_NVML);
  ASSERT_TRUE(library);
  GpuReader reader(std::shared_ptr<const nvml::Library>(std::move(*library)), 0,
                   [](const std::string&) { return telemetry::CountByName(); });
  const GpuAnswer answer = reader.read(1);
  ASSERT_EQ(answer.readings.size(), 1U);
  ASSERT_TRUE(gpu.memory_used_bytes);
  EXPECT_GT(answer.readings[0].memory_reserved_bytes, 0);
  EXPECT_EQ(gpu.memory_used_bytes, answer.readings[0].memory_used_bytes);
}

TEST(Gpus, OneThatHangsIsSilentAndTheOthersAnswer) {
  const DescribedGpus machine(machine_of(
      {{{"name", "one"}, {"uuid", {{"hang", true}}}}, {{"name", "two"}, {"uuid", "GPU-2"}}}));
  const auto gpus = open_gpus(FAKE_NVML, std::chrono::milliseconds(50));
  ASSERT_EQ(gpus->count(), 2) << gpus->why_absent();
  expect_silent(gpus->read(0));
  EXPECT_EQ(gpus->read(1).uuid, "GPU-2");
  expect_silent(gpus->read(0));
}

TEST(Gpus, SeveralObjectsShareNvml) {
  const auto gpus = open_gpus(FAKE_NVML);
  open_gpus(FAKE_NVML);
  EXPECT_EQ(gpus->read(0).name, "NVIDIA H200");
  EXPECT_EQ(gpus->driver_version(), "580.65.06");
}

TEST(Gpus, AnIndexOutOfRangeIsEmpty) {
  const auto gpus = open_gpus(FAKE_NVML);
  expect_silent(gpus->read(-1));
  expect_silent(gpus->read(3));
}

TEST(Gpus, WithoutTheLibraryItSaysHowToGetIt) {
  const auto gpus = open_gpus("/nonexistent/libnvidia-ml.so.1");
  EXPECT_FALSE(gpus->available());
  EXPECT_THAT(gpus->why_absent(), HasSubstr("/nonexistent/libnvidia-ml.so.1"));
  EXPECT_THAT(gpus->how_to_get(), HasSubstr("driver"));
  EXPECT_EQ(gpus->count(), 0);
  EXPECT_EQ(gpus->driver_version(), std::nullopt);
  expect_silent(gpus->read(0));
  EXPECT_THAT(gpu_names(read_all(*gpus)), IsEmpty());
}

TEST(Gpus, WithoutTheDriverItSaysSo) {
  const FakeGpus machine("no_driver");
  const auto gpus = open_gpus(FAKE_NVML);
  EXPECT_FALSE(gpus->available());
  EXPECT_THAT(gpus->why_absent(), HasSubstr("Driver Not Loaded"));
  EXPECT_THAT(gpus->how_to_get(), HasSubstr("modprobe"));
}

TEST(Gpus, AnotherLibraryIsRefused) {
  const auto gpus = open_gpus(FAKE_CUDA);
  EXPECT_FALSE(gpus->available());
  EXPECT_THAT(gpus->why_absent(), HasSubstr("not a usable NVML"));
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
}  // namespace batchscope::gpu
