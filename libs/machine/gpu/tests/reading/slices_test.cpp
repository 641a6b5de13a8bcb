#include <gmock/gmock.h>

#include "read_gpus.hpp"

namespace batchscope::gpu {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

Json slice(const char* uuid, int64_t used) {
  return {{"uuid", uuid},
          {"name", "NVIDIA H100 80GB HBM3 MIG 1g.10gb"},
          {"memory", {{"total", 10000}, {"used", used}}},
          {"processes", {{{"pid", 7}, {"memory", used}}}},
          {"gpm", {{"2", 50.0}}}};
}

// An H100 with these slices.
Json divided(const Json& slices) {
  Json gpu = eight_gpus()["gpus"][0];
  gpu["mig"] = true;
  gpu["slices"] = slices;
  return machine_of(Json::array({gpu}));
}

TEST(Slices, AreReadBehindTheirGpu) {
  const DescribedGpus machine(divided(Json::array({slice("MIG-a", 4000), slice("MIG-b", 5000)})));
  ReadGpus gpus;
  gpus.answer(0);
  const auto readings = gpus.answer(0).readings;
  ASSERT_THAT(readings, SizeIs(3));
  EXPECT_EQ(readings[2].gpu, "0:1");
  EXPECT_EQ(readings[2].uuid, "MIG-b");
  EXPECT_EQ(readings[2].name, "NVIDIA H100 80GB HBM3 MIG 1g.10gb");
  EXPECT_EQ(readings[2].gpu_instance, 2);
  EXPECT_EQ(readings[2].pci_bus_id, "00000000:19:00.0") << "that of the whole GPU";
  EXPECT_TRUE(readings[2].up);
  EXPECT_EQ(readings[2].memory_used_bytes, 5000);
  EXPECT_EQ(readings[2].memory_total_bytes, 10000);
  EXPECT_EQ(readings[2].sm_active_ratio, 0.5);
  EXPECT_THAT(readings[2].processes, SizeIs(1));
  EXPECT_EQ(readings[2].power_watts, std::nullopt) << "that of the whole GPU";
}

TEST(Slices, LeaveTheFullWhatIsNotTheirs) {
  const DescribedGpus machine(divided(Json::array({slice("MIG-a", 4000)})));
  const auto full = ReadGpus().read(0);
  EXPECT_EQ(full.power_watts, 642.3);
  EXPECT_EQ(full.memory_used_bytes, std::nullopt);
  EXPECT_THAT(full.processes, IsEmpty());
}

TEST(Slices, KeepTheirPlacesWhereThereAreGaps) {
  const DescribedGpus machine(divided(Json::array({nullptr, slice("MIG-b", 5000)})));
  const auto readings = ReadGpus().answer(0).readings;
  ASSERT_THAT(readings, SizeIs(2));
  EXPECT_EQ(readings[1].gpu, "0:1");
}

TEST(Slices, OnesThatComeAndGoAreNotTakenForEachOther) {
  const DescribedGpus machine(divided(Json::array({slice("MIG-a", 4000)})));
  ReadGpus gpus;
  gpus.answer(0);
  EXPECT_EQ(gpus.answer(0).readings[1].sm_active_ratio, 0.5);
  machine.change(divided(Json::array({slice("MIG-c", 100)})));
  const auto other = gpus.answer(0).readings[1];
  EXPECT_EQ(other.uuid, "MIG-c");
  EXPECT_EQ(other.sm_active_ratio, std::nullopt) << "compared with that of another slice";
  machine.change(divided(Json::array()));
  EXPECT_THAT(gpus.answer(0).readings, SizeIs(1));
}

TEST(Slices, OneThatFailsIsDownAlone) {
  Json lost = slice("MIG-a", 4000);
  lost["memory"] = {{"status", 15}};
  const DescribedGpus machine(divided(Json::array({lost, slice("MIG-b", 5000)})));
  const auto readings = ReadGpus().answer(0).readings;
  ASSERT_THAT(readings, SizeIs(3));
  EXPECT_TRUE(readings[0].up);
  EXPECT_FALSE(readings[1].up);
  EXPECT_EQ(readings[1].why_down, "GPU is lost");
  EXPECT_EQ(readings[1].uuid, "MIG-a");
  EXPECT_THAT(readings[1].processes, IsEmpty());
  EXPECT_TRUE(readings[2].up);
}

}  // namespace
}  // namespace batchscope::gpu
