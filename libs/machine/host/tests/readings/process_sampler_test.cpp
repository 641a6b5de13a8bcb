#include "batchscope/host/process_sampler.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

using telemetry::ProcessReading;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

constexpr int64_t kProcessSecond = 1'000'000'000;

struct MadeUp {
  int pid = 0, parent = 1;
  std::string name = "python3";
  int64_t ticks = 0, start = 5, delay = 0;
  char state = 'R';
  int threads = 1;
};

std::string stat_of(const MadeUp& of) {
  return fmt::format(
      "{} ({}) {} {} 9 9 0 -1 4194304 1 0 0 0 {} {} 77 77 20 0 {} 0 {} 99999 300 "
      "18446744073709551615 "
      "1 1 1 0 0 0 0 0 0 0 0 0 17 1 0 0 {} 0 0 1 1 1 1 1 1 1 0\n",
      of.pid, of.name, of.state, of.parent, of.ticks - of.ticks / 4, of.ticks / 4, of.threads,
      of.start, of.delay);
}

// A made-up /proc of a kernel that lists children.
class Machine {
 public:
  void put(const MadeUp& of, const std::string& children = "") {
    write(of, of.pid, stat_of(of));
    root.write(fmt::format("/proc/{}/stat", of.pid), stat_of(of));
    root.write(fmt::format("/proc/{0}/task/{0}/children", of.pid), children);
  }
  void put_thread(const MadeUp& of, int thread) {
    MadeUp one = of;
    one.pid = thread;
    write(of, thread, stat_of(one));
  }
  void end(int pid) { root.remove(fmt::format("/proc/{}", pid)); }

  FixtureRoot root;

 private:
  void write(const MadeUp& of, int thread, const std::string& text) {
    root.write(fmt::format("/proc/{}/task/{}/stat", of.pid, thread), text);
  }
};

std::vector<int64_t> pids(const std::vector<ProcessReading>& readings) {
  std::vector<int64_t> all;
  for (const ProcessReading& reading : readings) all.push_back(reading.pid);
  return all;
}

TEST(ProcessSampler, TheTreeBelowAProcessIsRead) {
  Machine machine;
  machine.put({.pid = 10}, "11 12 ");
  machine.put({.pid = 11, .parent = 10}, "20 ");
  machine.put({.pid = 12, .parent = 10});
  machine.put({.pid = 20, .parent = 11});
  machine.put({.pid = 30});
  const auto readings = ProcessSampler(machine.root.root(), 10).take(0);
  EXPECT_THAT(pids(readings), ElementsAre(10, 11, 12, 20));
  EXPECT_EQ(readings[3].parent, 11);
  EXPECT_EQ(readings[0].resident_bytes, 300 * sysconf(_SC_PAGESIZE));
  EXPECT_EQ(readings[0].threads, 1);
  EXPECT_EQ(readings[0].cpu_cores, std::nullopt);
}

TEST(ProcessSampler, WhatAThreadBeginsIsFoundWithinEightReadings) {
  Machine machine;
  machine.put({.pid = 10, .threads = 2});
  machine.put_thread({.pid = 10}, 15);
  ProcessSampler sampler(machine.root.root(), 10);
  EXPECT_THAT(pids(sampler.take(0)), ElementsAre(10));
  machine.root.write("/proc/10/task/15/children", "20 ");
  machine.put({.pid = 20, .parent = 10});
  for (int reading = 1; reading < 8; ++reading) sampler.take(reading * kProcessSecond);
  EXPECT_THAT(pids(sampler.take(8 * kProcessSecond)), ElementsAre(10, 20));
  EXPECT_THAT(pids(sampler.take(9 * kProcessSecond)), ElementsAre(10, 20));
}

TEST(ProcessSampler, WithoutListsOfChildrenEveryProcessIsAsked) {
  FixtureRoot root;
  root.write("/proc/10/stat", stat_of({.pid = 10}));
  root.write("/proc/11/stat", stat_of({.pid = 11, .parent = 10}));
  root.write("/proc/20/stat", stat_of({.pid = 20, .parent = 11}));
  root.write("/proc/30/stat", stat_of({.pid = 30}));
  EXPECT_THAT(pids(ProcessSampler(root.root(), 10).take(0)), ElementsAre(10, 11, 20));
}

TEST(ProcessSampler, RatesAreOfTheTimeInBetween) {
  Machine machine;
  MadeUp process{.pid = 10, .ticks = 1000, .threads = 2};
  machine.put(process);
  machine.put_thread({.pid = 10, .ticks = 400}, 15);
  machine.root.write("/proc/10/io", "rchar: 1\nread_bytes: 100\nwrite_bytes: 7\n");
  ProcessSampler sampler(machine.root.root(), 10);
  sampler.take(0);
  process.ticks = 1300;
  machine.put(process);
  machine.put_thread({.pid = 10, .ticks = 580}, 15);
  machine.put_thread({.pid = 10, .ticks = 5, .start = 900}, 16);
  machine.put_thread({.pid = 10, .ticks = 1050}, 10);
  machine.root.write("/proc/10/io", "rchar: 9\nread_bytes: 500\nwrite_bytes: 17\n");
  const auto readings = sampler.take(2 * kProcessSecond);
  ASSERT_EQ(readings.size(), 1U);
  EXPECT_THAT(readings[0].cpu_cores, Optional(DoubleEq(1.5)));
  EXPECT_THAT(readings[0].busiest_thread_ratio, Optional(DoubleEq(0.9)));
  EXPECT_THAT(readings[0].read_bytes_per_second, Optional(200.0));
  EXPECT_THAT(readings[0].write_bytes_per_second, Optional(5.0));
}

TEST(ProcessSampler, WithoutPermissionBytesAreAbsent) {
  Machine machine;
  machine.put({.pid = 10});
  ProcessSampler sampler(machine.root.root(), 10);
  sampler.take(0);
  EXPECT_EQ(sampler.take(kProcessSecond).at(0).read_bytes_per_second, std::nullopt);
}

TEST(ProcessSampler, NamesMayHoldAnything) {
  Machine machine;
  const std::string name = "a) S 1 (b\n c";
  machine.put({.pid = 10, .parent = 4, .name = name});
  const auto readings = ProcessSampler(machine.root.root(), 10).take(0);
  ASSERT_EQ(readings.size(), 1U);
  EXPECT_EQ(readings[0].name, name);
  EXPECT_EQ(readings[0].parent, 4);
}

TEST(ProcessSampler, ANumberThatIsUsedAgainIsAnotherProcess) {
  Machine machine;
  machine.put({.pid = 10}, "11 ");
  machine.put({.pid = 11, .parent = 10, .ticks = 900});
  ProcessSampler sampler(machine.root.root(), 10);
  sampler.take(0);
  machine.put({.pid = 11, .parent = 10, .ticks = 950, .start = 6});
  const auto readings = sampler.take(kProcessSecond);
  EXPECT_EQ(readings.at(0).cpu_cores, 0.0);
  EXPECT_EQ(readings.at(1).cpu_cores, std::nullopt);
  machine.put({.pid = 10, .start = 6});
  EXPECT_THAT(pids(sampler.take(2 * kProcessSecond)), ElementsAre(11));  // left behind
}

TEST(ProcessSampler, WhatEndsIsLeftOutAndWhatItLeftBehindIsNot) {
  Machine machine;
  machine.put({.pid = 10}, "11 12 ");
  machine.put({.pid = 11, .parent = 10, .state = 'Z'});
  machine.put({.pid = 12, .parent = 10}, "13 ");
  machine.put({.pid = 13, .parent = 12});
  ProcessSampler sampler(machine.root.root(), 10);
  EXPECT_THAT(pids(sampler.take(0)), ElementsAre(10, 12, 13));
  machine.put({.pid = 10});
  machine.end(12);
  EXPECT_THAT(pids(sampler.take(kProcessSecond)), ElementsAre(10, 13));
  machine.end(10);
  machine.end(13);
  EXPECT_THAT(sampler.take(2 * kProcessSecond), IsEmpty());
}

TEST(ProcessSampler, AThreadMayRunOnWhereTheFirstHasEnded) {
  Machine machine;
  machine.put({.pid = 10, .state = 'Z', .threads = 2});
  EXPECT_THAT(pids(ProcessSampler(machine.root.root(), 10).take(0)), ElementsAre(10));
}

// Its wait for disks after `setting`: half of the time on each of two threads.
std::optional<double> io_wait_with(const char* setting, int64_t delay) {
  Machine machine;
  if (setting != nullptr) machine.root.write("/proc/sys/kernel/task_delayacct", setting);
  machine.put({.pid = 10});
  machine.put_thread({.pid = 10}, 11);
  ProcessSampler sampler(machine.root.root(), 10);
  sampler.take(0);
  machine.put({.pid = 10, .delay = delay});
  machine.put_thread({.pid = 10, .delay = delay}, 11);
  return sampler.take(kProcessSecond).at(0).io_wait_ratio;
}

TEST(ProcessSampler, TheWaitForDisksIsStatedWhereItIsCounted) {
  EXPECT_EQ(io_wait_with("1\n", 0), 0.0);
  EXPECT_THAT(io_wait_with("1\n", 50), Optional(DoubleEq(1.0)));
  EXPECT_EQ(io_wait_with("0\n", 50), std::nullopt);
  EXPECT_EQ(io_wait_with(nullptr, 0), std::nullopt);
  EXPECT_THAT(io_wait_with(nullptr, 50), Optional(DoubleEq(1.0)));
}

TEST(ProcessSampler, OfManyProcessesTheBusiestAreRead) {
  constexpr int kMany = static_cast<int>(ProcessSampler::kMostProcesses) + 40;
  Machine machine;
  std::string children;
  for (int i = 0; i < kMany; ++i) children += fmt::format("{} ", 100 + i);
  const auto work = [&](int64_t ticks) {
    for (int i = 0; i < kMany; ++i) {
      machine.put({.pid = 100 + i, .parent = 10, .ticks = i == 300 ? ticks : 0});
    }
  };
  machine.put({.pid = 10}, children);
  work(0);
  ProcessSampler sampler(machine.root.root(), 10);
  EXPECT_EQ(sampler.take(0).size(), ProcessSampler::kMostProcesses);
  work(80);
  sampler.take(kProcessSecond);
  work(160);
  const auto readings = sampler.take(2 * kProcessSecond);
  ASSERT_EQ(readings.size(), ProcessSampler::kMostProcesses);
  EXPECT_EQ(readings[0].pid, 10);
  EXPECT_EQ(readings[1].pid, 400);
  EXPECT_THAT(readings[1].cpu_cores, Optional(DoubleEq(0.8)));
}

TEST(ProcessSampler, ThreadsBeyondTheLimitAreNotRead) {
  Machine machine;
  machine.put({.pid = 10}, "11 ");
  machine.put({.pid = 11, .parent = 10});
  for (std::size_t i = 0; i < ProcessSampler::kMostThreads; ++i) {
    machine.put_thread({.pid = 10}, 1000 + static_cast<int>(i));
  }
  ProcessSampler sampler(machine.root.root(), 10);
  sampler.take(0);
  const auto readings = sampler.take(kProcessSecond);
  ASSERT_THAT(pids(readings), ElementsAre(10, 11));
  EXPECT_EQ(readings[0].busiest_thread_ratio, std::nullopt);
  EXPECT_EQ(readings[0].cpu_cores, 0.0);
  EXPECT_EQ(readings[1].busiest_thread_ratio, 0.0);
}

TEST(ProcessSampler, ThisProcessIsRead) {
  ProcessSampler sampler(base::SystemRoot(), getpid());
  sampler.take(0);
  const auto readings = sampler.take(kProcessSecond);
  ASSERT_FALSE(readings.empty());
  EXPECT_EQ(readings[0].pid, getpid());
  EXPECT_GT(readings[0].resident_bytes.value_or(0), 0);
  EXPECT_TRUE(readings[0].cpu_cores);
}

TEST(ProcessSampler, TextThatIsNoStatIsNoProcess) {
  for (const char* text : {"", "10", "10 (x", "10 x) (R 1", "10 (x) R 1 2 3", ")("}) {
    FixtureRoot root;
    root.write("/proc/10/stat", text);
    EXPECT_THAT(ProcessSampler(root.root(), 10).take(0), IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace batchscope::host
