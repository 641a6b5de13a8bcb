#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/watch/watch.hpp"
#include "samples.hpp"

namespace batchscope::watch {
namespace {

using findings::Severity;
using telemetry::GpuReading;
using telemetry::Sample;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Watch, WhatEndedIsReportedAsItWasAtItsWorst) {
  Watch watch;
  watch_gpu(watch, 0, 200, [](int64_t) { return busy_gpu("0", 0.15); });
  watch_gpu(watch, 200, 500, good_gpu);
  ASSERT_THAT(watch.all(), testing::SizeIs(1));
  const ActiveFinding low = watch.all().front();
  EXPECT_TRUE(low.ended_ns);
  EXPECT_NEAR(low.finding.evidence.front().estimate.value, 0.15, 0.01);
}

TEST(Watch, ABadMinuteIsNotWhatAnHourWasLike) {
  Watch watch;
  int64_t held_ns = 0;
  for (int64_t second = 0; second < 3600; ++second) {
    held_ns += (second / 60 == 30 ? 9 : 1) * kSecondNs / 10;
    GpuReading gpu = busy_gpu();
    gpu.throttle_ns_total["thermal"] = held_ns;
    watch.add(sample_at(second, gpu));
  }
  const ActiveFinding now = watch.active().at(0), in_the_end = watch.all().at(0);
  EXPECT_EQ(now.finding.id, "monitor.thermal");
  EXPECT_NEAR(now.finding.evidence[0].estimate.value, 0.1, 1e-3);
  const double truth = static_cast<double>(held_ns) / (3600.0 * kSecondNs);
  EXPECT_NEAR(in_the_end.finding.evidence[0].estimate.value, truth, 2e-3);
}

TEST(Watch, OfLittleUseTheLeastIsTheWorst) {
  const auto with = [](const char* metric, double share) {
    findings::Finding finding;
    findings::Evidence& evidence = finding.evidence.emplace_back();
    evidence.metric = metric;
    evidence.estimate.value = share;
    evidence.unit = findings::kRatioUnit;
    return finding;
  };
  for (const char* metric : {"gpu_busy", "sm_active", "power_share", "link_share"}) {
    EXPECT_TRUE(is_no_better(with(metric, 0.2), with(metric, 0.4))) << metric;
    EXPECT_FALSE(is_no_better(with(metric, 0.4), with(metric, 0.2))) << metric;
  }
  EXPECT_TRUE(is_no_better(with("throttled_share", 0.4), with("throttled_share", 0.2)));
}

// However long ago it began, and however well it went before and in between.
TEST(Watch, LowUseOfHoursIsReportedWithItsOwnMean) {
  for (const int64_t good : {180, 600, 1200, 5000}) {
    for (const int64_t gap : {0, 500, 1000}) {
      Watch watch;
      watch_gpu(watch, 0, good, good_gpu);
      watch_gpu(watch, good, good + 1500, low_gpu);
      watch_gpu(watch, good + 1500, good + 1500 + gap, good_gpu);
      watch_gpu(watch, good + 1500 + gap, good + 7000, low_gpu);
      ASSERT_THAT(ids(watch.all()), ElementsAre("monitor.low-use"));
      EXPECT_NEAR(watch.all()[0].finding.evidence[0].estimate.value, 0.4, 0.015)
          << good << ", " << gap;
    }
  }
}

TEST(Watch, AStragglerIsReportedAsItWasOnAverage) {
  Watch watch;
  for (int64_t second = 0; second < 3000; ++second) {
    Sample sample = sample_at(second, busy_gpu("0"));
    for (const char* const gpu : {"1", "2", "3"}) sample.gpus.push_back(busy_gpu(gpu));
    const double below = second < 600 ? 0 : second < 1200 ? 0.11 : 0.23;
    sample.gpus[2].sm_clock_hertz = (1 - below) * *sample.gpus[1].sm_clock_hertz;
    telemetry::TrainingStep step = step_at(second);
    watch.add(step);
    watch.add(sample);
  }
  ASSERT_THAT(ids(watch.all()), ElementsAre("monitor.straggler"));
  const double truth = 1 - (0.11 * 600 + 0.23 * 1800) / 2400;
  EXPECT_NEAR(watch.all()[0].finding.evidence[0].estimate.value, truth, 0.01);
}

// What is near a threshold holds by turns; what it is told by is no zero in between.
TEST(Watch, WhatHoldsByTurnsIsReportedAsItWasWhileItHeld) {
  Watch watch;
  for (int64_t second = 0; second < 3000; ++second) {
    Sample sample = sample_at(second, busy_gpu("0"));
    for (const char* const gpu : {"1", "2", "3"}) sample.gpus.push_back(busy_gpu(gpu));
    const double below = second / 60 % 2 == 0 ? 0 : 0.15;
    sample.gpus[2].sm_clock_hertz = (1 - below) * *sample.gpus[1].sm_clock_hertz;
    watch.add(step_at(second));
    watch.add(sample);
  }
  ASSERT_THAT(ids(watch.all()), ElementsAre("monitor.straggler"));
  EXPECT_NEAR(watch.all()[0].finding.evidence[0].estimate.value, 0.9, 0.03);
}

// Two minutes every fifteen.
TEST(Watch, AnEvaluationIsNoLowUse) {
  Watch watch;
  for (int64_t second = 0; second < 7200; ++second) {
    const bool evaluates = second % 900 >= 780;
    if (!evaluates) watch.add(step_at(second));
    watch.add(sample_at(second, busy_gpu("0", evaluates ? 0.2 : 0.94)));
  }
  EXPECT_THAT(watch.all(), IsEmpty());
}

// Nothing is known of a time without samples.
TEST(Watch, WhatWasBeforeAHoleEndedBeforeIt) {
  Watch watch;
  watch_gpu(watch, 0, 600, low_gpu);
  watch_gpu(watch, 2400, 2600, good_gpu);
  ASSERT_EQ(watch.all().size(), 1U);
  EXPECT_NEAR(active_seconds(watch.all()[0], 0), 600, 15);
}

TEST(Watch, AGpuIsDownForAsLongAsItDoesNotAnswer) {
  Watch watch;
  for (int64_t second = 0; second < 600; ++second) {
    GpuReading gpu = busy_gpu();
    gpu.up = second % 50 >= 5;
    watch.add(sample_at(second, gpu));
    EXPECT_EQ(watch.active().size(), gpu.up ? 0U : 1U) << second;
  }
  ASSERT_EQ(watch.all().size(), 1U);
  EXPECT_EQ(watch.all()[0].times, 12);
  EXPECT_NEAR(active_seconds(watch.all()[0], kBeganNs + 600 * kSecondNs), 60, 1e-6);
}

TEST(Watch, WhatComesAndGoesIsReportedWithTheTimeThatItWas) {
  Watch watch;
  watch_gpu(watch, 0, 200, low_gpu);
  watch_gpu(watch, 200, 3000, good_gpu);
  watch_gpu(watch, 3000, 3300, low_gpu);
  const ActiveFinding is_active = watch.all().front();
  EXPECT_EQ(is_active.times, 2);
  EXPECT_NEAR(active_seconds(is_active, kBeganNs + 3300 * kSecondNs), 500, 100);
  watch_gpu(watch, 3300, 4000, good_gpu);
  ASSERT_THAT(ids(watch.all()), ElementsAre("monitor.low-use"));
  const ActiveFinding low = watch.all().front();
  EXPECT_EQ(low.times, 2);
  ASSERT_EQ(low.episodes.size(), 2U);
  EXPECT_EQ(low.since_ns, low.episodes[0].since_ns);
  EXPECT_EQ(low.ended_ns, low.episodes[1].ended_ns);
  EXPECT_NEAR(active_seconds(low, 0), 500, 100);
}

// Half the time, in one piece or by turns.
TEST(Watch, WhatGoesOnAndOffIsReportedWithTheMeanOfItsTime) {
  for (const int64_t period : {50, 60, 90, 110}) {
    Watch watch;
    for (int64_t second = 0; second < 3600; ++second) {
      telemetry::TrainingStep step = step_at(second);
      watch.add(step);
      watch.add(sample_at(second, busy_gpu("0", 2 * (second % period) < period ? 0.97 : 0.03)));
    }
    ASSERT_THAT(ids(watch.all()), ElementsAre("monitor.low-use")) << period;
    const ActiveFinding low = watch.all().front();
    EXPECT_EQ(low.finding.severity, Severity::medium) << period;
    EXPECT_NEAR(low.finding.evidence.front().estimate.value, 0.5, 0.05) << period;
  }
}

TEST(Watch, CausesThatTakeTurnsDoNotOverlap) {
  Watch watch;
  for (int64_t second = 0; second < 3600; ++second) {
    Sample sample = sample_at(second, busy_gpu("0", 0.3));
    sample.processes.resize(1);
    sample.processes[0].pid = 4711;
    sample.processes[0].cpu_cores = 1;
    const bool reads = second / 150 % 2 == 0;
    sample.processes[0].io_wait_ratio = reads ? 0.8 : 0.0;
    sample.processes[0].busiest_thread_ratio = reads ? 0.1 : 0.95;
    watch.add(sample);
  }
  const std::vector<ActiveFinding> all = watch.all();
  ASSERT_EQ(all.size(), 2U);
  const int64_t now_ns = kBeganNs + 3600 * kSecondNs;
  EXPECT_LE(active_seconds(all[0], now_ns) + active_seconds(all[1], now_ns), 3600);
  for (const ActiveFinding& each : all) EXPECT_GT(active_seconds(each, now_ns), 1000);
}

TEST(Watch, WhatEndedIsForgottenInTheEnd) {
  WatchOptions options;
  options.remembered = 4;
  Watch watch({}, options);
  for (int64_t i = 0; i < 20; ++i) {
    GpuReading gpu = busy_gpu(std::to_string(i));
    gpu.remap_pending = true;
    watch_gpu(watch, 100 * i, 100 * (i + 1), [&](int64_t) { return gpu; });
  }
  EXPECT_LE(watch.all().size(), 4U);
  EXPECT_THAT(watch.active(), testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace batchscope::watch
