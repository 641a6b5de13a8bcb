#include "batchscope/host/topology.hpp"

#include <gmock/gmock.h>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1024 * kKiB;

TEST(Topology, TwoSocketsWithSmt) {
  const Topology topology = read_topology(FixtureRoot("xeon_2s").root());
  EXPECT_EQ(topology.model, "Intel(R) Xeon(R) Gold 6444Y");
  EXPECT_EQ(topology.cpus.size(), 16U);
  EXPECT_EQ(topology.cores, 8);
  EXPECT_EQ(topology.packages, 2);
  EXPECT_EQ(topology.nodes, 2);
  EXPECT_EQ(topology.smt_active, true);
  EXPECT_EQ(topology.describe(), "2 sockets, 8 cores, 16 logical CPUs, 2 NUMA nodes");
}

TEST(Topology, SiblingsShareACoreAcrossSocketsTheyDoNot) {
  const Topology topology = read_topology(FixtureRoot("xeon_2s").root());
  EXPECT_EQ(topology.cpus[0].core, topology.cpus[8].core);
  EXPECT_NE(topology.cpus[0].core, topology.cpus[4].core);  // both are core 0 of their socket
  EXPECT_EQ(topology.cpus[12].package, 1);
  EXPECT_EQ(topology.cpus[12].node, 1);
}

TEST(Topology, CountsEachCacheOnce) {
  const Topology topology = read_topology(FixtureRoot("xeon_2s").root());
  const auto l1d = topology.cache(1, "data");
  ASSERT_TRUE(l1d);
  EXPECT_EQ(l1d->size_bytes, 48 * kKiB);
  EXPECT_EQ(l1d->instances, 8);
  EXPECT_EQ(l1d->cpus_per_instance, 2);
  const auto l3 = topology.cache(3, "unified");
  ASSERT_TRUE(l3);
  EXPECT_EQ(l3->instances, 2);
  EXPECT_EQ(l3->cpus_per_instance, 8);
  EXPECT_EQ(l3->size_bytes, 45 * kMiB);
}

TEST(Topology, RecordedGuest) {
  const Topology topology = read_topology(FixtureRoot("kvm_2cpu").root());
  EXPECT_EQ(topology.model, "Intel(R) Xeon(R) Processor");
  EXPECT_EQ(topology.describe(), "1 socket, 2 cores, 2 logical CPUs, 1 NUMA node");
  EXPECT_EQ(topology.smt_active, false);
  EXPECT_EQ(topology.cache(2, "unified")->size_bytes, 2 * kMiB);
  EXPECT_EQ(topology.cache(3, "unified")->size_bytes, 480 * kMiB);
}

TEST(Topology, ArmWithoutAModelNameOrPackage) {
  const Topology topology = read_topology(FixtureRoot("arm_vm").root());
  EXPECT_EQ(topology.model, "Arm Neoverse-N1");
  EXPECT_EQ(topology.cores, 4);
  EXPECT_EQ(topology.packages, 1);
  EXPECT_EQ(topology.cpus[0].package, 0);
  EXPECT_EQ(topology.smt_active, false);
  EXPECT_EQ(topology.cache(3, "unified")->size_bytes, 32 * kMiB);
}

TEST(Topology, AnUnknownArmPartKeepsItsNumbers) {
  FixtureRoot fixture;
  fixture.write("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x77\nCPU part\t: 0x123\n");
  EXPECT_EQ(read_topology(fixture.root()).model, "Arm implementer 0x77 part 0x123");
}

TEST(Topology, WithoutSysfsCpuinfoTells) {
  const Topology topology = read_topology(FixtureRoot("cgroup_v1_quota").root());
  EXPECT_EQ(topology.cpus.size(), 8U);
  EXPECT_EQ(topology.cores, 4);
  EXPECT_EQ(topology.smt_active, true);
  EXPECT_TRUE(topology.caches.empty());
}

TEST(Topology, OlderKernelsNameSiblingsDifferently) {
  FixtureRoot fixture;
  fixture.write("/sys/devices/system/cpu/online", "0-1\n");
  fixture.write("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1\n");
  fixture.write("/sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "0-1\n");
  EXPECT_EQ(read_topology(fixture.root()).cores, 1);
}

TEST(Topology, OfflineCpusDoNotCount) {
  FixtureRoot fixture("xeon_2s");
  fixture.write("/sys/devices/system/cpu/online", "0-7\n");
  const Topology topology = read_topology(fixture.root());
  EXPECT_EQ(topology.cpus.size(), 8U);
  EXPECT_EQ(topology.cores, 8);
}

TEST(Topology, AnEmptyRootIsEmpty) {
  const Topology topology = read_topology(FixtureRoot().root());
  EXPECT_TRUE(topology.cpus.empty());
  EXPECT_EQ(topology.cores, 0);
  EXPECT_EQ(topology.smt_active, std::nullopt);
}

TEST(Topology, ThisMachineHasACore) {
  EXPECT_GE(read_topology(base::SystemRoot()).cores, 1);
}

}  // namespace
}  // namespace batchscope::host
