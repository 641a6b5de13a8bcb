#include "batchscope/host/counters.hpp"

#include <gmock/gmock.h>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

using ::testing::ElementsAre;

TEST(Counters, ReadsTheSettingAndNamesARefusal) {
  const FixtureRoot fixture("xeon_2s");
  const PerfAccess access = probe_perf_counters(fixture.root());
  EXPECT_EQ(access.paranoid, 2);
  EXPECT_EQ(access.refusal.empty(), access.hardware);
}

TEST(Counters, NoSettingIsAbsent) {
  EXPECT_EQ(probe_perf_counters(FixtureRoot().root()).paranoid, std::nullopt);
}

TEST(ClockSource, InvariantTsc) {
  const ClockSource clock = read_clock_source(FixtureRoot("xeon_2s").root());
  EXPECT_EQ(clock.current, "tsc");
  EXPECT_THAT(clock.available, ElementsAre("tsc", "hpet", "acpi_pm"));
  EXPECT_EQ(clock.invariant_tsc, true);
}

TEST(ClockSource, ATscThatStopsInSleepIsNotInvariant) {
  EXPECT_EQ(read_clock_source(FixtureRoot("cgroup_v2_quota").root()).invariant_tsc, false);
}

TEST(ClockSource, ArmHasNoTsc) {
  const ClockSource clock = read_clock_source(FixtureRoot("arm_vm").root());
  EXPECT_EQ(clock.current, "arch_sys_counter");
  EXPECT_EQ(clock.invariant_tsc, std::nullopt);
}

}  // namespace
}  // namespace batchscope::host
