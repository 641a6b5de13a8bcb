#include "batchscope/host/host_sampler.hpp"

#include <gmock/gmock.h>

#include <string>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

using telemetry::HostReading;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::Optional;

constexpr int64_t kHostSecond = 1'000'000'000;

// Two readings of a machine, a second apart.
class TwoReadings {
 public:
  TwoReadings() = default;
  explicit TwoReadings(const std::string& fixture) : root_(fixture) {}

  void before(const std::string& path, const std::string& text) { root_.write(path, text); }
  HostReading after(const std::string& path, const std::string& text, int64_t later = kHostSecond) {
    HostSampler sampler(root_.root());
    first_ = sampler.take(7 * kHostSecond);
    root_.write(path, text);
    return sampler.take(7 * kHostSecond + later);
  }
  const HostReading& first() const { return first_; }

 private:
  FixtureRoot root_;
  HostReading first_;
};

TEST(HostSampler, TheFirstReadingHasLevelsOnly) {
  const FixtureRoot root("xeon_2s");
  const HostReading reading = HostSampler(root.root()).take(0);
  EXPECT_EQ(reading.cpus, 16);
  EXPECT_EQ(reading.load_average, 0.08);
  EXPECT_EQ(reading.memory_total_bytes, int64_t{263921456} * 1024);
  EXPECT_EQ(reading.memory_used_bytes, int64_t{263921456 - 241172480} * 1024);
  EXPECT_EQ(reading.swap_used_bytes, 0);
  EXPECT_EQ(reading.cpu_busy_ratio, std::nullopt);
  EXPECT_EQ(reading.disk_busy_ratio, std::nullopt);
  EXPECT_THAT(reading.cpu_busy_ratio_by_core, ElementsAre());
}

TEST(HostSampler, AnEmptyMachineSaysNothing) {
  const FixtureRoot root;
  HostSampler sampler(root.root());
  sampler.take(0);
  const HostReading reading = sampler.take(kHostSecond);
  EXPECT_EQ(reading.cpus, std::nullopt);
  EXPECT_EQ(reading.memory_total_bytes, std::nullopt);
  EXPECT_EQ(reading.load_average, std::nullopt);
  EXPECT_EQ(reading.pressure_cpu_some_ratio, std::nullopt);
  EXPECT_EQ(reading.network_receive_bytes_per_second, std::nullopt);
}

TEST(HostSampler, CpuTimeIsOfTheCpusThatMayBeUsed) {
  TwoReadings machine;
  machine.before("/proc/self/status", "Name:\tx\nCpus_allowed_list:\t0,2-3\n");
  machine.before("/proc/stat", "cpu0 0 0 0 0\ncpu1 0 0 0 0\ncpu2 0 0 0 0 0\n");
  const HostReading reading = machine.after(
      "/proc/stat",
      "cpu0 30 0 20 50 0 0 0 0\ncpu1 100 0 0 0 0 0 0 0\ncpu2 0 0 0 50 30 0 0 20\nintr 1\n");
  EXPECT_EQ(reading.cpus, 2);  // the fourth is offline
  EXPECT_THAT(reading.cpu_busy_ratio, Optional(DoubleEq(0.25)));
  EXPECT_THAT(reading.cpu_system_ratio, Optional(DoubleEq(0.10)));
  EXPECT_THAT(reading.cpu_iowait_ratio, Optional(DoubleEq(0.15)));
  EXPECT_THAT(reading.cpu_steal_ratio, Optional(DoubleEq(0.10)));
  EXPECT_THAT(reading.cpu_busy_ratio_by_core, ElementsAre(0.5, 0.0));
}

TEST(HostSampler, ACpuThatGoesOrComesHasNoRate) {
  FixtureRoot root;
  HostSampler sampler(root.root());
  root.write("/proc/stat", "cpu0 10 0 0 10\ncpu1 90 0 0 10\n");
  sampler.take(0);
  root.write("/proc/stat", "cpu0 20 0 0 20\n");
  EXPECT_THAT(sampler.take(kHostSecond).cpu_busy_ratio_by_core, ElementsAre(0.5));
  root.write("/proc/stat", "cpu0 50 0 0 30\ncpu1 95 0 0 10\n");
  const HostReading back = sampler.take(2 * kHostSecond);
  EXPECT_EQ(back.cpus, 2);
  EXPECT_THAT(back.cpu_busy_ratio_by_core, ElementsAre(0.75));
}

TEST(HostSampler, CountersThatFallGiveNoRateOnce) {
  FixtureRoot root;
  HostSampler sampler(root.root());
  const auto put = [&root](int64_t counter) {
    const std::string n = std::to_string(counter);
    root.write("/proc/stat", "cpu0 " + n + " 0 0 100\n");
    root.write("/proc/diskstats", "8 0 sda 1 0 " + n + " 1 1 0 " + n + " 1 0 " + n + " 1\n");
    root.write("/proc/net/dev", "eth0: " + n + " 0 0 0 0 0 0 0 " + n + " 0 0 0 0 0 0 0\n");
    root.write("/proc/pressure/io", "some avg10=0.00 total=" + n + "\n");
  };
  put(500);
  sampler.take(0);
  put(20);
  const HostReading fallen = sampler.take(kHostSecond);
  EXPECT_EQ(fallen.cpu_busy_ratio, std::nullopt);
  EXPECT_EQ(fallen.disk_read_bytes_per_second, std::nullopt);
  EXPECT_EQ(fallen.disk_busy_ratio, std::nullopt);
  EXPECT_EQ(fallen.network_receive_bytes_per_second, std::nullopt);
  EXPECT_EQ(fallen.pressure_io_some_ratio, std::nullopt);
  put(30);
  const HostReading again = sampler.take(2 * kHostSecond);
  EXPECT_EQ(again.cpu_busy_ratio, 1.0);
  EXPECT_EQ(again.disk_read_bytes_per_second, 10 * 512.0);
  EXPECT_THAT(again.disk_busy_ratio, Optional(DoubleEq(0.01)));
  EXPECT_EQ(again.network_transmit_bytes_per_second, 10.0);
  EXPECT_THAT(again.pressure_io_some_ratio, Optional(DoubleEq(1e-5)));
}

TEST(HostSampler, TheWaitForDisksMayFallALittle) {
  TwoReadings machine;
  machine.before("/proc/stat", "cpu0 100 0 0 100 50\n");
  const HostReading reading = machine.after("/proc/stat", "cpu0 125 0 0 175 49\n");
  EXPECT_EQ(reading.cpu_busy_ratio, 0.25);
  EXPECT_EQ(reading.cpu_iowait_ratio, 0.0);
}

TEST(HostSampler, AClockThatIsGivesNoRates) {
  TwoReadings machine;
  machine.before("/proc/net/dev", "eth0: 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(machine.after("/proc/net/dev", "eth0: 5 0 0 0 0 0 0 0 5\n", 0)
                .network_receive_bytes_per_second,
            std::nullopt);
}

TEST(HostSampler, FullDisksCountOnce) {
  TwoReadings machine;
  machine.before("/proc/diskstats", "");
  const std::string names[] = {"sda",  "sda1",  "sda12",     "nvme0n1",  "nvme0n1p3", "nvme0n10",
                               "dm-0", "loop3", "nvme0c1n1", "md127",    "zram0",     "xvda1",
                               "ram0", "sr0",   "mmcblk0",   "mmcblk0p1"};
  std::string zeros, ones;
  for (const std::string& name : names) {
    zeros += " 8 0 " + name + " 0 0 0 0 0 0 0 0 0 0 0\n";
    ones += " 8 0 " + name + " 1 0 2 1 1 0 4 1 0 50 1 0 0 0 0\n";
  }
  machine.before("/proc/diskstats", zeros);
  const HostReading reading = machine.after("/proc/diskstats", ones);
  // sda, nvme0n1, nvme0n10, xvda1 (a disk without the name of one), mmcblk0
  EXPECT_EQ(reading.disk_read_bytes_per_second, 5 * 2 * 512.0);
  EXPECT_EQ(reading.disk_write_bytes_per_second, 5 * 4 * 512.0);
  EXPECT_THAT(reading.disk_busy_ratio, Optional(DoubleEq(0.05)));
}

constexpr const char* kInterfacesBefore =
    "Inter-| Receive | Transmit\n face |bytes packets|bytes\n"
    "    lo: 0 0 0 0 0 0 0 0 0 0\n  eth0:0 0 0 0 0 0 0 0 0 0\n"
    "br0: 0 0 0 0 0 0 0 0 0 0\nveth12: 0 0 0 0 0 0 0 0 0 0\n";
constexpr const char* kInterfacesAfter =
    "Inter-| Receive | Transmit\n face |bytes packets|bytes\n"
    "    lo: 9 0 0 0 0 0 0 0 9 0\n  eth0:100 0 0 0 0 0 0 0 70 0\n"
    "br0: 90 0 0 0 0 0 0 0 60 0\nveth12: 40 0 0 0 0 0 0 0 30 0\n";

TEST(HostSampler, WhatBridgesPassOnCountsOnce) {
  TwoReadings machine;
  machine.before("/proc/net/dev", kInterfacesBefore);
  machine.before("/sys/class/net/eth0/device/vendor", "0x15b3\n");
  const HostReading reading = machine.after("/proc/net/dev", kInterfacesAfter, 2 * kHostSecond);
  EXPECT_EQ(reading.network_receive_bytes_per_second, 50.0);
  EXPECT_EQ(reading.network_transmit_bytes_per_second, 35.0);
}

TEST(HostSampler, InAContainerAllButTheLoopbackCount) {
  TwoReadings machine;
  machine.before("/proc/net/dev", kInterfacesBefore);
  const HostReading reading = machine.after("/proc/net/dev", kInterfacesAfter);
  EXPECT_EQ(reading.network_receive_bytes_per_second, 230.0);
}

TEST(HostSampler, PressureIsOfTheTotals) {
  TwoReadings machine;
  machine.before("/proc/pressure/memory",
                 "some avg10=9.00 avg60=9.00 avg300=9.00 total=1000\n"
                 "full avg10=9.00 avg60=9.00 avg300=9.00 total=500\n");
  const HostReading reading =
      machine.after("/proc/pressure/memory",
                    "some avg10=9.00 avg60=9.00 avg300=9.00 total=251000\n"
                    "full avg10=9.00 avg60=9.00 avg300=9.00 total=100500\n");
  EXPECT_THAT(reading.pressure_memory_some_ratio, Optional(DoubleEq(0.25)));
  EXPECT_THAT(reading.pressure_memory_full_ratio, Optional(DoubleEq(0.10)));
  EXPECT_EQ(reading.pressure_io_some_ratio, std::nullopt);
}

constexpr const char* kPod = "/sys/fs/cgroup/kubepods.slice/pod9.slice/";

TEST(HostSampler, ALimitedGroupIsTheMachine) {
  TwoReadings machine("cgroup_v2_quota");
  const std::string pod = kPod;
  machine.before("/proc/meminfo", "MemTotal: 67108864 kB\nMemAvailable: 1000 kB\n");
  machine.before(pod + "memory.current", "6000\n");
  machine.before(pod + "memory.stat", "inactive_file 1000\n");
  machine.before("/proc/pressure/io", "some total=0\n");
  machine.before(pod + "io.pressure", "some total=0\n");
  const HostReading reading = machine.after(pod + "io.pressure", "some total=500000\n");
  EXPECT_EQ(reading.cpu_limit, 3.0);
  EXPECT_EQ(reading.memory_total_bytes, int64_t{8} << 30);
  EXPECT_EQ(reading.memory_used_bytes, 5000);
  EXPECT_THAT(reading.pressure_io_some_ratio, Optional(DoubleEq(0.5)));
  EXPECT_EQ(reading.cpu_throttled_ratio, 0.0);
}

TEST(HostSampler, ALimitAboveTheMachineLimitsNothing) {
  TwoReadings machine("cgroup_v2_quota");
  machine.before("/proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 1048575 kB\n");
  const HostReading reading = machine.after("/proc/loadavg", "0.5 0 0 1/2 3\n");
  EXPECT_EQ(reading.memory_total_bytes, int64_t{1} << 30);
  EXPECT_EQ(reading.memory_used_bytes, 1024);
}

TEST(HostSampler, ThrottledIsOfThePeriodsInBetween) {
  TwoReadings machine("cgroup_v2_quota");
  const HostReading reading = machine.after(
      std::string(kPod) + "cpu.stat", "nr_periods 600\nnr_throttled 65\nthrottled_usec 300000\n");
  EXPECT_EQ(machine.first().cpu_throttled_ratio, std::nullopt);
  EXPECT_THAT(reading.cpu_throttled_ratio, Optional(DoubleEq(0.25)));
}

TEST(HostSampler, VersionOneOfCgroupsIsRead) {
  TwoReadings machine("cgroup_v1_quota");
  machine.before("/sys/fs/cgroup/memory/memory.usage_in_bytes", "9000\n");
  machine.before("/sys/fs/cgroup/memory/memory.stat", "total_inactive_file 4000\n");
  const HostReading reading = machine.after("/proc/loadavg", "0.5 0 0 1/2 3\n");
  EXPECT_EQ(reading.memory_total_bytes, int64_t{4} << 30);
  EXPECT_EQ(reading.memory_used_bytes, 5000);
  EXPECT_TRUE(reading.cpu_limit);
}

TEST(HostSampler, ThisMachineIsRead) {
  HostSampler sampler{base::SystemRoot()};
  sampler.take(0);
  const HostReading reading = sampler.take(kHostSecond);
  EXPECT_GT(reading.cpus.value_or(0), 0);
  EXPECT_GT(reading.memory_total_bytes.value_or(0), reading.memory_used_bytes.value_or(0));
  EXPECT_TRUE(reading.load_average);
}

}  // namespace
}  // namespace batchscope::host
