#include "batchscope/watch/watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "samples.hpp"

namespace batchscope::watch {
namespace {

using findings::Severity;
using telemetry::GpuReading;
using telemetry::Sample;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Watch, TellsOfWhatHeldForMostOfAWindowAndUntilItNoLongerDoes) {
  Watch watch;
  watch_gpu(watch, 0, 60, low_gpu);
  EXPECT_THAT(watch.active(), IsEmpty());  // not for long enough
  watch_gpu(watch, 60, 120, low_gpu);
  ASSERT_THAT(ids(watch.active()), ElementsAre("monitor.low-use"));
  const ActiveFinding low = watch.active().front();
  EXPECT_FALSE(low.ended_ns);
  EXPECT_LE(low.since_ns, kBeganNs + 65 * kSecondNs);
  EXPECT_EQ(low.finding.evidence.front().metric, "gpu_busy");
  EXPECT_NEAR(low.finding.evidence.front().estimate.value, 0.4, 1e-9);
  EXPECT_TRUE(low.finding.evidence.front().estimate.ci);

  watch_gpu(watch, 120, 170, good_gpu);
  EXPECT_THAT(watch.active(), testing::SizeIs(1));  // goes on for a while
  watch_gpu(watch, 170, 300, good_gpu);
  EXPECT_THAT(watch.active(), IsEmpty());
  ASSERT_THAT(ids(watch.all()), ElementsAre("monitor.low-use"));
  EXPECT_GT(watch.all().front().ended_ns.value_or(0), kBeganNs + 115 * kSecondNs);
  EXPECT_LT(watch.all().front().ended_ns.value_or(0), kBeganNs + 165 * kSecondNs);
}

TEST(Watch, ChangesAreReportedOnce) {
  Watch watch;
  watch_gpu(watch, 0, 120, low_gpu);
  EXPECT_THAT(ids(watch.take_changes()), ElementsAre("monitor.low-use"));
  EXPECT_THAT(watch.take_changes(), IsEmpty());
  watch_gpu(watch, 120, 300, good_gpu);
  const std::vector<ActiveFinding> ended = watch.take_changes();
  ASSERT_THAT(ids(ended), ElementsAre("monitor.low-use"));
  EXPECT_TRUE(ended.front().ended_ns);
  EXPECT_THAT(watch.take_changes(), IsEmpty());
}

// Of an hour at the threshold, with noise that keeps nine tenths of itself from second to second.
int changes_in_noise(double deviation, uint64_t seed) {
  stats::Rng rng(seed);
  double noise = 0;
  Watch watch;
  int changes = 0;
  for (int64_t second = 0; second < 3600; ++second) {
    noise = 0.9 * noise + std::sqrt(1 - 0.81) * deviation * rng.normal();
    watch.add(sample_at(second, busy_gpu("0", std::clamp(0.75 + noise, 0.0, 1.0))));
    changes += static_cast<int>(watch.take_changes().size());
  }
  return changes;
}

TEST(Watch, DoesNotFlapOnNoise) {
  int of_small = 0, of_large = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    of_small += changes_in_noise(0.04, seed);
    of_large += changes_in_noise(0.12, seed);
  }
  EXPECT_LE(of_small, 20 * 2);
  EXPECT_LE(of_large, 20 * 6);
}

TEST(Watch, AnErrorIsReportedAtOnceAndForAWhile) {
  Watch watch;
  watch_gpu(watch, 0, 100, good_gpu);
  GpuReading fallen = busy_gpu();
  fallen.xid_errors_total["48"] = 1;
  watch.add(sample_at(100, fallen));
  ASSERT_THAT(ids(watch.active()), ElementsAre("monitor.xid"));
  EXPECT_THAT(watch.active().front().finding.what, HasSubstr("XID 48"));
  EXPECT_EQ(watch.active().front().finding.severity, Severity::high);
  watch_gpu(watch, 101, 800, [&](int64_t) { return fallen; });
  EXPECT_THAT(watch.active(), IsEmpty());
}

TEST(Watch, OfAGpuThatIsDownNothingElseIsReported) {
  Watch watch;
  watch_gpu(watch, 0, 120, low_gpu);
  GpuReading lost;
  lost.gpu = "0";  // which one it is it cannot say
  lost.why_down = "GPU is lost";
  lost.xid_errors_total["79"] = 1;
  watch_gpu(watch, 120, 125, [&](int64_t) { return lost; });
  ASSERT_THAT(ids(watch.active()), ElementsAre("monitor.gpu-down"));
  const findings::Finding down = watch.active().front().finding;
  EXPECT_THAT(down.what, HasSubstr("GPU 0 does not answer: GPU is lost"));
  EXPECT_THAT(down.cause, HasSubstr("XID 79"));
}

TEST(Watch, PlacesAreTheGpuTheSliceAndWhenItBegan) {
  Watch watch;
  watch_gpu(watch, 0, 200, [](int64_t) { return busy_gpu("1:3", 0.3); });
  ASSERT_EQ(watch.active().size(), 1U);
  const ActiveFinding low = watch.active().front();
  const auto* const place = std::get_if<findings::GpuMoment>(&low.finding.where);
  ASSERT_NE(place, nullptr);
  EXPECT_EQ(place->gpu, 1);
  EXPECT_EQ(place->slice, 3);
  EXPECT_EQ(place->time.time_since_epoch().count(), low.since_ns / 1'000'000);
  EXPECT_THAT(low.finding.what, HasSubstr("GPU 1, slice 3"));
}

TEST(Watch, AReadingThatComesTwiceCountsOnce) {
  Watch watch;
  // Every tenth reading is new, and good; what is repeated would be judged if it counted.
  for (int64_t second = 0; second < 300; ++second) {
    Sample sample = sample_at(second, busy_gpu("0", second % 10 == 0 ? 0.97 : 0.2));
    sample.gpus.front().read_ns = kBeganNs + second / 10 * 10 * kSecondNs;
    watch.add(sample);
  }
  EXPECT_THAT(watch.active(), IsEmpty());
}

TEST(Watch, StepsTellWhatTheLoaderCosts) {
  Watch watch;
  for (int64_t second = 0; second < 200; ++second) {
    telemetry::TrainingStep step = step_at(second);
    step.loading_seconds = 0.6;
    watch.add(step);
    watch.add(sample_at(second, busy_gpu("0", 0.4)));
  }
  ASSERT_THAT(ids(watch.active()), ElementsAre("monitor.loading"));
  const findings::Finding loading = watch.active().front().finding;
  EXPECT_EQ(loading.status, findings::Status::measured);
  EXPECT_THAT(loading.what, HasSubstr("wait 60 % of their time for a batch"));
}

// A second of a training that holds 20 GB, and 0.5 GB a sample of `held`, and tells of a step, or
// of none yet.
void train_for_a_second(Watch& watch, int64_t second, int64_t held,
                        std::optional<int64_t> reported) {
  if (reported) {
    telemetry::TrainingStep step = step_at(second);
    step.batch_size = reported;
    watch.add(step);
  }
  GpuReading gpu = busy_gpu();
  gpu.memory_used_bytes = 20'000'000'000 + 500'000'000 * held;
  watch.add(sample_at(second, gpu));
}

TEST(Watch, RoomIsByTheLineThroughTheSizesSeen) {
  Watch watch;
  for (int64_t second = 0; second < 400; ++second) {
    const int64_t batch = second < 200 ? 16 : 32;
    train_for_a_second(watch, second, batch, batch);
  }
  ASSERT_THAT(ids(watch.active()), ElementsAre("monitor.headroom"));
  // 95 % of 80 GB hold 112; by share alone it would be 67.
  EXPECT_THAT(watch.active().front().finding.what, HasSubstr("about batch 110 fits"));
}

// The sample is taken while the first step of the larger batch runs, which is told later.
TEST(Watch, MemoryOfAStepThatIsNotReportedYetIsNotThatOfTheBatchBefore) {
  Watch watch;
  for (int64_t second = 0; second < 400; ++second) {
    const int64_t batch = second < 200 ? 16 : 32;
    train_for_a_second(watch, second, batch, second == 200 ? std::nullopt : std::optional(batch));
  }
  ASSERT_THAT(ids(watch.active()), ElementsAre("monitor.headroom"));
  EXPECT_THAT(watch.active().front().finding.what, HasSubstr("about batch 110 fits"));
}

TEST(Watch, ABatchThatFittedBeforeFits) {
  Watch watch;
  for (int64_t second = 0; second < 600; ++second) {
    const int64_t batch = second >= 200 && second < 400 ? 64 : 16;
    // The allocator keeps what it had.
    train_for_a_second(watch, second, second < 200 ? 16 : 64, batch);
  }
  ASSERT_THAT(ids(watch.active()), ElementsAre("monitor.headroom"));
  EXPECT_THAT(watch.active().front().finding.what, HasSubstr("about batch 110 fits"));
}

TEST(Watch, RoomIsThatOfTheFullestGpuOfATraining) {
  for (const double fullest : {0.7, 0.93}) {
    Watch watch;
    for (int64_t second = 0; second < 200; ++second) {
      Sample sample = sample_at(second, busy_gpu("0"));
      sample.gpus[0].memory_used_bytes = 40'000'000'000;
      sample.gpus.push_back(busy_gpu("1"));
      sample.gpus[1].memory_used_bytes = static_cast<int64_t>(fullest * 80e9);
      auto step = step_at(second);
      step.batch_size = 256;
      watch.add(step);
      watch.add(sample);
    }
    const auto all = watch.all();
    if (fullest > 0.9) {
      EXPECT_THAT(all, IsEmpty());
      continue;
    }
    ASSERT_THAT(ids(all), ElementsAre("monitor.headroom", "monitor.headroom"));
    EXPECT_THAT(all[0].finding.what, HasSubstr("about batch 340 fits, limited by GPU 1"));
    EXPECT_TRUE(all[1].finding.what.ends_with("about batch 340 fits")) << all[1].finding.what;
  }
}

TEST(Watch, NoRoomIsReportedOfWhileMemoryRises) {
  Watch watch;
  for (int64_t second = 0; second < 900; ++second) {
    telemetry::TrainingStep step = step_at(second);
    step.batch_size = 16;
    watch.add(step);
    GpuReading gpu = busy_gpu();
    gpu.memory_used_bytes = 20'000'000'000 + 3'000'000 * second;
    watch.add(sample_at(second, gpu));
  }
  EXPECT_THAT(watch.all(), IsEmpty());
}

// So many bytes a second from 10 GB on, until that is reached.
std::vector<std::string> reported_of_rise(double bytes_a_second, double until, double busy) {
  Watch watch;
  std::vector<std::string> reported;
  for (int64_t second = 0; second < 600; ++second) {
    GpuReading gpu = busy_gpu("0", busy);
    const double bytes = std::min(until, 10e9 + bytes_a_second * static_cast<double>(second));
    gpu.memory_used_bytes = static_cast<int64_t>(bytes);
    watch.add(sample_at(second, gpu));
    for (const ActiveFinding& each : watch.take_changes()) {
      const bool raised = each.finding.id == "monitor.leak" && !each.ended_ns;
      if (raised) reported.push_back(each.finding.what);
    }
  }
  return reported;
}

TEST(Watch, ALeakThatFillsAGpuInMinutesIsReportedBeforeItDoes) {
  EXPECT_THAT(
      reported_of_rise(0.15e9, 80e9, 0.9),
      ElementsAre(testing::MatchesRegex("Memory of GPU 0 has grown by 8.3. GiB per minute for 4 "
                                        "min.*; full in 3 min.*")));
  EXPECT_THAT(reported_of_rise(0.15e9, 40e9, 0.9), IsEmpty()) << "had an end";
  EXPECT_THAT(reported_of_rise(0.02e9, 80e9, 0.9), IsEmpty()) << "there is time to see";
  EXPECT_THAT(reported_of_rise(0.15e9, 80e9, 0.01), IsEmpty()) << "weights are loaded";
}

// The window empties of it after it has ended, and says less and less.
TEST(Watch, WhatIsInterruptedWorksInNoBursts) {
  for (const int64_t piece : {10, 40}) {
    Watch watch;
    watch_gpu(watch, 0, 300, [&](int64_t second) {
      return busy_gpu("0", second % (2 * piece) < piece ? 0.97 : 0.1);
    });
    const bool reported =
        !watch.all().empty() && watch.all()[0].finding.id == "monitor.synchronisation";
    EXPECT_EQ(reported, piece == 10) << piece;
  }
}

// By turns that are as long as the window, or longer.
TEST(Watch, AFileThatIsWrittenIsNoLoaderThatWaits) {
  for (const bool writes : {false, true}) {
    Watch watch;
    for (int64_t second = 0; second < 200; ++second) {
      Sample sample = sample_at(second, busy_gpu("0", 0.3));
      sample.processes.resize(1);
      sample.processes[0].pid = 4711;
      sample.processes[0].io_wait_ratio = 0.8;
      sample.processes[0].cpu_cores = 0.3;
      sample.processes[0].read_bytes_per_second = writes ? 1e6 : 2e8;
      sample.processes[0].write_bytes_per_second = writes ? 2e9 : 0;
      watch.add(sample);
    }
    ASSERT_THAT(ids(watch.active()), ElementsAre("monitor.disk"));
    const findings::Finding disk = watch.active().front().finding;
    EXPECT_THAT(disk.what,
                HasSubstr(writes ? "programs write 1.86 GiB/s to disks" : "too slow for its data"));
    EXPECT_EQ(disk.severity, writes ? Severity::low : Severity::high);
  }
}

TEST(Watch, TheGpuOfAnotherJobIsNotJudgedByThisOne) {
  for (const int64_t user : {7, 8}) {
    Watch watch;
    for (int64_t second = 0; second < 200; ++second) {
      Sample sample = sample_at(second, busy_gpu("0"));
      sample.gpus[0].processes = {{7, std::nullopt, false}};
      sample.gpus.push_back(busy_gpu("1", 0.4));
      sample.gpus[1].processes = {{user, std::nullopt, false}};
      sample.processes.resize(1);
      sample.processes[0].pid = 7;
      watch.add(sample);
    }
    EXPECT_EQ(watch.all().empty(), user == 8) << user;
  }
}

// Of the first GPU and another, from the first step on.
Watch train_beside(const GpuReading& other) {
  Watch watch;
  for (int64_t second = 0; second < 300; ++second) {
    watch.add(step_at(second));
    Sample sample = sample_at(second, busy_gpu("0"));
    sample.gpus.push_back(other);
    sample.gpus[1].read_ns = sample.time_ns;
    watch.add(sample);
  }
  return watch;
}

TEST(Watch, AGpuThatATrainingHardlyUsesIsLowUseHoweverLittleItDoes) {
  for (const double busy : {0.01, 0.03, 0.05, 0.08}) {
    const Watch watch = train_beside(busy_gpu("1", busy));
    ASSERT_EQ(watch.all().size(), 1U) << busy;
    EXPECT_THAT(watch.all().front().finding.what, HasSubstr("GPU 1 is busy")) << busy;
  }
}

// Of which NVML itself does not say for how long it is busy.
TEST(Watch, ASliceIsJudgedByTheTimeThatItsEngineIsAtWork) {
  const auto slice = [](double active) {
    GpuReading reading = busy_gpu("1:0", active);
    reading.busy_ratio.reset();
    reading.graphics_active_ratio = active;
    return reading;
  };
  EXPECT_THAT(ids(train_beside(slice(0.97)).all()), IsEmpty());
  const Watch watch = train_beside(slice(0.03));
  ASSERT_EQ(watch.all().size(), 1U);
  EXPECT_THAT(watch.all().front().finding.what, HasSubstr("GPU 1, slice 0 is busy 3.0 %"));
}

// That loads a model, answers requests for a while, is idle, and unloads it.
TEST(Watch, AServiceThatUnloadsItsModelDoesNotRunOutOfMemory) {
  for (const bool idles : {true, false}) {
    Watch watch;
    watch_gpu(watch, 0, 3000, [&](int64_t second) {
      GpuReading gpu = busy_gpu("0", second % 500 < (idles ? 200 : 300) ? 0.9 : 0);
      gpu.memory_used_bytes = 78'000'000'000;
      if (second % 500 < 400) return gpu;
      gpu.memory_used_bytes = 500'000'000;
      gpu.processes.clear();
      return gpu;
    });
    const auto reported = ids(watch.all());
    EXPECT_EQ(std::ranges::count(reported, "monitor.out-of-memory"), idles ? 0 : 1);
  }
}

TEST(Watch, AGpuThatDrawsAScreenIsNoneOfATraining) {
  for (const double busy : {0.01, 0.03, 0.08, 0.4}) {
    GpuReading screen = busy_gpu("1", busy);
    screen.processes.clear();
    screen.memory_used_bytes = 6'000'000'000;
    EXPECT_THAT(ids(train_beside(screen).all()), IsEmpty()) << busy;
  }
}

}  // namespace
}  // namespace batchscope::watch
