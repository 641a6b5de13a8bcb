#include "reading/gpu_reader.hpp"

#include <gmock/gmock.h>

#include "read_gpus.hpp"

namespace batchscope::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kMebibyte = 1024 * 1024;

TEST(GpuReader, ReadsWhoItIs) {
  const DescribedGpus machine(eight_gpus());
  ReadGpus gpus;
  const auto reading = gpus.read(3);
  EXPECT_TRUE(reading.up);
  EXPECT_EQ(reading.gpu, "3");
  EXPECT_EQ(reading.name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(reading.uuid, "GPU-4274c105-28e2-dc38-643e-ea982f8d38a3");
  EXPECT_EQ(reading.pci_bus_id, "00000000:4C:00.0");
  EXPECT_EQ(reading.read_ns, ReadGpus::kBegin);
}

TEST(GpuReader, ReadsWorkMemoryAndPrograms) {
  const DescribedGpus machine(eight_gpus());
  const auto reading = ReadGpus().read(0);
  EXPECT_EQ(reading.busy_ratio, 0.98);
  EXPECT_EQ(reading.memory_busy_ratio, 0.61);
  EXPECT_EQ(reading.memory_total_bytes, 85520809984);
  EXPECT_EQ(reading.memory_used_bytes, 68719476736) << "without what the driver reserves";
  EXPECT_EQ(reading.memory_reserved_bytes, 503447552);
  ASSERT_EQ(reading.processes.size(), 1U);
  EXPECT_EQ(reading.processes[0].pid, 4242);
  EXPECT_EQ(reading.processes[0].memory_used_bytes, 68719476736);
}

TEST(GpuReader, ReadsPowerHeatAndClocks) {
  const DescribedGpus machine(eight_gpus());
  const auto reading = ReadGpus().read(0);
  EXPECT_EQ(reading.power_watts, 642.3);
  EXPECT_EQ(reading.power_limit_watts, 700);
  EXPECT_EQ(reading.energy_joules_total, 3216.697);
  EXPECT_EQ(reading.temperature_celsius, 54);
  EXPECT_EQ(reading.memory_temperature_celsius, 62);
  EXPECT_EQ(reading.slowdown_temperature_celsius, 89);
  EXPECT_EQ(reading.sm_clock_hertz, 1.755e9);
  EXPECT_EQ(reading.max_sm_clock_hertz, 1.98e9);
  EXPECT_EQ(reading.memory_clock_hertz, 2.619e9);
  EXPECT_THAT(reading.throttle_reasons, ElementsAre("power_cap"));
}

TEST(GpuReader, ReadsErrorsAndTheLink) {
  Json machine = eight_gpus();
  Json& gpu = machine["gpus"][0];
  gpu["ecc_errors"] = {{"corrected", 17}, {"uncorrected", 2}};
  gpu["remapped_rows"] = {{"corrected", 3}, {"uncorrected", 1}, {"pending", true}};
  gpu["pcie_replays"] = 5;
  const DescribedGpus described(machine);
  const auto reading = ReadGpus().read(0);
  EXPECT_EQ(reading.ecc_corrected_errors_total, 17);
  EXPECT_EQ(reading.ecc_uncorrected_errors_total, 2);
  EXPECT_EQ(reading.remapped_rows_total, 4);
  EXPECT_EQ(reading.remap_pending, true);
  EXPECT_EQ(reading.pcie_replays_total, 5);
  EXPECT_EQ(reading.pcie_link_generation, 5);
  EXPECT_EQ(reading.pcie_link_width, 16);
}

TEST(GpuReader, ReadsWhatWasDoneBetweenTwoReadings) {
  const DescribedGpus machine(eight_gpus());
  ReadGpus gpus;
  const auto first = gpus.read(0);
  EXPECT_EQ(first.sm_active_ratio, std::nullopt) << "nothing to compare with";
  const auto second = gpus.read(0);
  EXPECT_EQ(second.graphics_active_ratio, 0.965);
  EXPECT_EQ(second.sm_active_ratio, 0.915);
  EXPECT_EQ(second.sm_occupancy_ratio, 0.3825);
  EXPECT_EQ(second.tensor_active_ratio, 0.475);
  EXPECT_EQ(second.dram_active_ratio, 0.52);
  EXPECT_EQ(second.pcie_transmit_bytes_per_second, 1200.5 * kMebibyte);
  EXPECT_EQ(second.pcie_receive_bytes_per_second, 310.25 * kMebibyte);
  EXPECT_EQ(second.nvlink_receive_bytes_per_second, 21000 * kMebibyte);
  EXPECT_EQ(second.nvlink_transmit_bytes_per_second, 20950 * kMebibyte);
}

TEST(GpuReader, AMetricWithoutANameIsAbsentThoughItIsAnswered) {
  Json machine = eight_gpus();
  machine["gpus"][0]["gpm"] = {{"2", 0.0}};
  const DescribedGpus described(machine);
  ReadGpus gpus;
  gpus.read(0);
  const auto reading = gpus.read(0);
  EXPECT_EQ(reading.sm_active_ratio, 0) << "0 is what it says";
  EXPECT_EQ(reading.tensor_active_ratio, std::nullopt);
  EXPECT_EQ(reading.nvlink_receive_bytes_per_second, std::nullopt);
}

TEST(GpuReader, WithoutGpmItMeasuresTheLink) {
  Json machine = eight_gpus();
  machine["gpus"][0].erase("gpm");
  machine["gpus"][1]["older_structs"] = {"gpm"};
  const DescribedGpus described(machine);
  ReadGpus gpus;
  for (const unsigned gpu : {0U, 1U}) {
    const auto reading = gpus.read(gpu);
    EXPECT_EQ(reading.pcie_transmit_bytes_per_second, 17473e3);
    EXPECT_EQ(reading.pcie_receive_bytes_per_second, 551e3);
    EXPECT_EQ(reading.sm_active_ratio, std::nullopt);
  }
}

TEST(GpuReader, OfAnOlderDriverMemoryInUseHasWhatIsReserved) {
  Json machine = eight_gpus();
  machine["gpus"][0]["older_structs"] = {"memory"};
  const DescribedGpus described(machine);
  const auto reading = ReadGpus().read(0);
  EXPECT_EQ(reading.memory_used_bytes, 68719476736 + 503447552);
  EXPECT_EQ(reading.memory_reserved_bytes, std::nullopt);
}

TEST(GpuReader, WhatIsNotSupportedIsAbsent) {
  const DescribedGpus machine(machine_of(Json::array({{{"name", "NVIDIA Plain"}}})));
  ReadGpus gpus;
  gpus.read(0);
  const auto reading = gpus.read(0);
  EXPECT_TRUE(reading.up);
  EXPECT_EQ(reading.name, "NVIDIA Plain");
  for (const auto& metric : telemetry::gpu_metrics()) {
    EXPECT_EQ(metric.get(reading), std::nullopt) << metric.name;
  }
  EXPECT_THAT(reading.throttle_ns_total, IsEmpty());
  EXPECT_THAT(reading.throttle_reasons, IsEmpty());
  EXPECT_THAT(reading.processes, IsEmpty());
}

TEST(GpuReader, EveryMetricIsThereWhereEverythingIsSupported) {
  const DescribedGpus machine(eight_gpus());
  ReadGpus gpus;
  gpus.read(0);
  const auto reading = gpus.read(0);
  for (const auto& metric : telemetry::gpu_metrics()) {
    EXPECT_NE(metric.get(reading), std::nullopt) << metric.name;
  }
}

}  // namespace
}  // namespace batchscope::gpu
