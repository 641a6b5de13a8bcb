#include <gmock/gmock.h>

#include "driver/status.hpp"
#include "reading/read_gpus.hpp"

namespace batchscope::gpu {
namespace {

using ::testing::IsEmpty;

constexpr nvml::Status kInUse = 19;

// A machine of one GPU, with these facts in place of its own.
Json one_gpu(const Json& facts) {
  Json gpu = eight_gpus()["gpus"][0];
  gpu.update(facts);
  return machine_of(Json::array({gpu}));
}

Json faults(int status, int from, int to) {
  return {{"faults", {{{"status", status}, {"from_call", from}, {"to_call", to}}}}};
}

TEST(GpuFaults, AGpuThatIsLostIsDownAndComesBack) {
  for (const int status : {nvml::kGpuIsLost, nvml::kResetRequired, nvml::kTimeout}) {
    constexpr int kAmidTheSecondReading = 60, kThen = 61;
    const DescribedGpus machine(one_gpu(faults(status, kAmidTheSecondReading, kThen)));
    ReadGpus gpus;
    EXPECT_TRUE(gpus.read(0).up);
    GpuAnswer lost;
    for (int tries = 0; tries < 3 && lost.why_down.empty(); ++tries) lost = gpus.answer(0);
    EXPECT_THAT(lost.readings, IsEmpty());
    EXPECT_EQ(lost.why_down, nvml::in_words(status));
    EXPECT_FALSE(lost.driver_absent);
    const auto back = gpus.read(0);
    EXPECT_EQ(back.power_watts, 642.3);
    EXPECT_EQ(back.uuid, "GPU-4274c105-28e2-dc38-643e-ea982f8d38a0");
  }
}

TEST(GpuFaults, ADriverThatIsGoneIsDistinguished) {
  for (const int status : {nvml::kDriverNotLoaded, nvml::kLibraryVersionMismatch}) {
    const Json healthy = one_gpu(Json::object());
    const DescribedGpus machine(healthy);
    ReadGpus gpus;
    EXPECT_TRUE(gpus.read(0).up);
    machine.change({{"init_status", status}});
    const GpuAnswer gone = gpus.answer(0);
    EXPECT_THAT(gone.readings, IsEmpty());
    EXPECT_TRUE(gone.driver_absent);
    machine.change(healthy);
    EXPECT_EQ(gpus.answer(0).why_down, nvml::in_words(nvml::kUnknown)) << "NVML has to start anew";
  }
}

TEST(GpuFaults, AGpuOfWhichNothingIsAnsweredIsDown) {
  constexpr int kForEver = 1'000'000;
  const DescribedGpus machine(one_gpu(faults(nvml::kUnknown, 1, kForEver)));
  EXPECT_EQ(ReadGpus().answer(0).why_down, nvml::in_words(nvml::kUnknown));
}

TEST(GpuFaults, ACallThatFailsOnceIsAbsentOnceAndNeverZero) {
  for (const int status : {nvml::kUnknown, kInUse}) {
    const Json fails = {{"status", status}};
    const DescribedGpus machine(
        one_gpu({{"energy_millijoules", {{"series", {1000, fails, 3000}}}},
                 {"ecc_errors", {{"series", {{{"corrected", 7}, {"uncorrected", 0}}, fails}}}},
                 {"memory", {{"series", {{{"total", 80}, {"used", 60}}, fails}}}}}));
    ReadGpus gpus;
    EXPECT_EQ(gpus.read(0).energy_joules_total, 1);
    const auto reading = gpus.read(0);
    EXPECT_TRUE(reading.up);
    EXPECT_EQ(reading.energy_joules_total, std::nullopt);
    EXPECT_EQ(reading.ecc_corrected_errors_total, std::nullopt);
    EXPECT_EQ(reading.memory_used_bytes, std::nullopt);
    EXPECT_EQ(reading.power_watts, 642.3);
    EXPECT_EQ(gpus.read(0).energy_joules_total, 3);
  }
}

// Were it asked again, it would be there the second time.
TEST(GpuFaults, WhatIsRefusedIsNotAskedAgain) {
  for (const int status : {nvml::kNotSupported, nvml::kNoPermission}) {
    const DescribedGpus machine(
        one_gpu({{"power_milliwatts", {{"series", {{{"status", status}}, 5000}}}},
                 {"mig", {{"series", {{{"status", status}}, true}}}},
                 {"gpm", {{"series", {{{"status", status}}, {{"2", 50.0}}}}}}}));
    ReadGpus gpus;
    EXPECT_EQ(gpus.read(0).power_watts, std::nullopt);
    const auto second = gpus.read(0);
    EXPECT_EQ(second.power_watts, std::nullopt);
    EXPECT_TRUE(second.memory_used_bytes.has_value()) << "it counts as divided";
    EXPECT_EQ(gpus.read(0).sm_active_ratio, std::nullopt);
  }
}

TEST(GpuFaults, NoSentinelIsAValue) {
  constexpr unsigned long long kAll64 = 0xffffffffffffffff, kBlank = 9223372036854775794;
  constexpr unsigned kAll32 = 0xffffffff;
  const DescribedGpus machine(
      one_gpu({{"memory", {{"total", kBlank}, {"used", kAll64}, {"reserved", kAll64}}},
               {"power_milliwatts", kAll32},
               {"power_limit_milliwatts", kAll32},
               {"energy_millijoules", kAll64},
               {"temperature_celsius", kAll32},
               {"memory_temperature_celsius", 0},
               {"slowdown_temperature_celsius", kAll32},
               {"sm_clock_mhz", kAll32},
               {"max_sm_clock_mhz", kAll32},
               {"memory_clock_mhz", kAll32},
               {"utilization", {{"gpu", kAll32}, {"memory", 101.5}}},
               {"ecc_errors", {{"corrected", kBlank}, {"uncorrected", kAll64}}},
               {"remapped_rows", {{"corrected", kAll32}, {"uncorrected", 0}, {"pending", false}}},
               {"pcie_replays", kAll32},
               {"pcie_link", {{"generation", kAll32}, {"width", kAll32}}},
               {"throttle_reasons", kAll64},
               {"violations_ns", {{"power", kAll64}}},
               {"gpm", {{"2", 180.0}, {"3", -1.0}, {"20", 1e30}}},
               {"processes", {{{"pid", 1}, {"memory", kAll64}}}}}));
  ReadGpus gpus;
  gpus.read(0);
  const auto reading = gpus.read(0);
  for (const auto& metric : telemetry::gpu_metrics()) {
    const std::string_view name = metric.name;
    if (name == "remap_pending" || name == "memory_busy_ratio") continue;
    EXPECT_EQ(metric.get(reading), std::nullopt) << name;
  }
  EXPECT_EQ(reading.memory_busy_ratio, 1) << "a little above 1 is 1";
  EXPECT_THAT(reading.throttle_ns_total, IsEmpty());
  EXPECT_THAT(reading.throttle_reasons, IsEmpty());
  ASSERT_EQ(reading.processes.size(), 1U);
  EXPECT_EQ(reading.processes[0].memory_used_bytes, std::nullopt);
}

Json programs(int count) {
  Json list = Json::array();
  for (int pid = 1; pid <= count; ++pid) list.push_back({{"pid", pid}, {"memory", 1000}});
  return list;
}

TEST(GpuFaults, AListOfProgramsThatGrowsIsAskedForAgain) {
  const DescribedGpus machine(
      one_gpu({{"processes", {{"series", {programs(20), programs(40), programs(41)}}}}}));
  EXPECT_EQ(ReadGpus().read(0).processes.size(), 41U);
}

TEST(GpuFaults, AListThatGrowsForEverIsAbsent) {
  const DescribedGpus machine(one_gpu(
      {{"processes",
        {{"series", {programs(20), programs(40), programs(80), programs(160), programs(320)}}}}}));
  ReadGpus gpus;
  EXPECT_THAT(gpus.read(0).processes, IsEmpty());
  EXPECT_EQ(gpus.read(0).processes.size(), 320U);
}

}  // namespace
}  // namespace batchscope::gpu
