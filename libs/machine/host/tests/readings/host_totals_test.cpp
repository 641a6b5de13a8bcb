#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>
#include <string>
#include <vector>

#include "batchscope/host/host_sampler.hpp"
#include "testing/machines/fixture_root.hpp"

// Random work is put into the counters of a made-up machine, and what the sampler reads of it is
// summed: it is what was put in.
namespace batchscope::host {
namespace {

constexpr int kReadings = 60;
constexpr int kCores = 7, kDisks = 5, kInterfaces = 4;

struct Counters {
  std::vector<int64_t> user = std::vector<int64_t>(kCores), idle = user;
  std::vector<int64_t> read = std::vector<int64_t>(kDisks), written = read;  // sectors
  std::vector<int64_t> received = std::vector<int64_t>(kInterfaces), sent = received;
  int64_t stalled_us = 0;
};

int64_t sum(const std::vector<int64_t>& values) {
  int64_t all = 0;
  for (const int64_t value : values) all += value;
  return all;
}

void write(const Counters& counters, FixtureRoot& root) {
  std::string stat, disks, network = "Inter-|\n face |bytes\n lo: 5 0 0 0 0 0 0 0 5 0\n";
  for (size_t i = 0; i < kCores; ++i) {
    stat += fmt::format("cpu{} {} 0 0 {} 0 0 0 0 0 0\n", i, counters.user[i], counters.idle[i]);
  }
  for (size_t i = 0; i < kDisks; ++i) {
    const auto line = [&](const std::string& name) {
      return fmt::format("259 {} {} 1 0 {} 1 1 0 {} 1 0 {} 1\n", i, name, counters.read[i],
                         counters.written[i], counters.read[i] / 10);
    };
    disks += line(fmt::format("nvme{}n1", i)) + line(fmt::format("nvme{}n1p1", i));
  }
  for (size_t i = 0; i < kInterfaces; ++i) {
    network += fmt::format("eth{}: {} 0 0 0 0 0 0 0 {} 0 0 0 0 0 0 0\n", i, counters.received[i],
                           counters.sent[i]);
  }
  root.write("/proc/stat", stat);
  root.write("/proc/diskstats", disks);
  root.write("/proc/net/dev", network);
  root.write("/proc/pressure/memory", fmt::format("some avg10=1 total={}\n", counters.stalled_us));
}

class Work {
 public:
  void add(Counters& counters) {
    for (size_t i = 0; i < kCores; ++i) {
      counters.user[i] += any(0, 100);
      counters.idle[i] += any(1, 100);
    }
    for (size_t i = 0; i < kDisks; ++i) {
      counters.read[i] += any(0, 2'000);
      counters.written[i] += any(0, 1'000'000);
    }
    for (size_t i = 0; i < kInterfaces; ++i) {
      counters.received[i] += any(0, 1'000'000'000);
      counters.sent[i] += any(0, 1'000'000'000);
    }
    counters.stalled_us += any(0, 200'000);
  }
  int64_t any(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }

 private:
  std::mt19937_64 random_{20'261'001};
};

TEST(HostTotals, WhatIsReadIsWhatWasPutIn) {
  FixtureRoot root;
  HostSampler sampler(root.root());
  Work work;
  Counters counters;
  work.add(counters);
  write(counters, root);
  int64_t now_ns = 1'700'000'000'000'000'000;
  sampler.take(now_ns);
  const Counters start = counters;
  double busy_ticks = 0, read = 0, written = 0, received = 0, sent = 0, stalled = 0;
  for (int i = 0; i < kReadings; ++i) {
    const int64_t before = sum(counters.user) + sum(counters.idle);
    work.add(counters);
    write(counters, root);
    const int64_t passed_ns = work.any(200'000'001, 3'000'000'000);
    now_ns += passed_ns;
    const telemetry::HostReading reading = sampler.take(now_ns);
    const double seconds = static_cast<double>(passed_ns) * 1e-9;
    const auto ticks = static_cast<double>(sum(counters.user) + sum(counters.idle) - before);
    ASSERT_EQ(reading.cpu_busy_ratio_by_core.size(), kCores);
    busy_ticks += reading.cpu_busy_ratio.value() * ticks;
    read += reading.disk_read_bytes_per_second.value() * seconds;
    written += reading.disk_write_bytes_per_second.value() * seconds;
    received += reading.network_receive_bytes_per_second.value() * seconds;
    sent += reading.network_transmit_bytes_per_second.value() * seconds;
    stalled += reading.pressure_memory_some_ratio.value() * seconds * 1e6;
  }
  const auto expect = [](double seen, int64_t now, int64_t before, int64_t unit) {
    const auto put_in = static_cast<double>((now - before) * unit);
    EXPECT_NEAR(seen, put_in, put_in * 1e-9);
  };
  expect(busy_ticks, sum(counters.user), sum(start.user), 1);
  expect(read, sum(counters.read), sum(start.read), 512);
  expect(written, sum(counters.written), sum(start.written), 512);
  expect(received, sum(counters.received), sum(start.received), 1);
  expect(sent, sum(counters.sent), sum(start.sent), 1);
  expect(stalled, counters.stalled_us, start.stalled_us, 1);
}

}  // namespace
}  // namespace batchscope::host
