#include "batchscope/monitor_report/screen_history.hpp"

#include <gmock/gmock.h>

namespace batchscope::monitor_report {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Optional;

void add(ScreenHistory& history, int64_t second, std::optional<double> busy) {
  telemetry::Sample sample;
  sample.time_ns = second * 1'000'000'000;
  sample.host.cpu_busy_ratio = busy;
  telemetry::GpuReading gpu;
  gpu.gpu = "0";
  gpu.busy_ratio = busy;
  sample.gpus = {gpu};
  history.add(sample);
}

TEST(ScreenHistory, APointIsTheMeanOfItsSamples) {
  ScreenHistory history;
  for (int i = 0; i < 8; ++i) add(history, i, i * 0.1);
  // 120 samples in 40 columns are three a point.
  EXPECT_THAT(
      history.gpu_busy("0", 40),
      ElementsAre(Optional(DoubleEq(0.1)), Optional(DoubleEq(0.4)), Optional(DoubleEq(0.65))));
  EXPECT_EQ(history.seconds(), 7);
}

TEST(ScreenHistory, WhatWasNotStatedLeavesAGap) {
  ScreenHistory history;
  for (int i = 0; i < 3; ++i) add(history, i, i == 1 ? std::nullopt : std::optional(0.5));
  EXPECT_THAT(history.cpu_busy(ScreenHistory::kSamples),
              ElementsAre(Optional(0.5), std::nullopt, Optional(0.5)));
  EXPECT_THAT(history.gpu_busy("1", 200), ElementsAre(std::nullopt, std::nullopt, std::nullopt));
}

TEST(ScreenHistory, FullPointsDoNotChangeAsTimeGoesOn) {
  ScreenHistory history;
  for (int i = 0; i < 400; ++i) add(history, i, (i * 7 % 10) * 0.1);
  const Curve before = history.cpu_busy(40);
  add(history, 400, 0.3);
  const Curve after = history.cpu_busy(40);
  ASSERT_EQ(before.size(), 40U);
  ASSERT_EQ(after.size(), 40U);
  for (size_t i = 1; i + 1 < before.size(); ++i) {
    ASSERT_THAT(after[i], Optional(DoubleEq(*before[i]))) << i;
  }
}

TEST(ScreenHistory, IsBounded) {
  ScreenHistory history;
  for (int i = 0; i < 1000; ++i) add(history, i, 0.5);
  EXPECT_EQ(history.seconds(), ScreenHistory::kSamples - 1);
  for (int i = 0; i < 20; ++i) {
    telemetry::TrainingStep step;
    step.source = std::to_string(i);
    step.time_ns = i;
    history.add(step);
  }
  ASSERT_EQ(history.training().size(), ScreenHistory::kLoops);
  for (const TrainingPace& pace : history.training()) EXPECT_GE(pace.last.time_ns, 12);
}

TEST(ScreenHistory, PaceIsOfTheLastSteps) {
  ScreenHistory history;
  for (int i = 0; i < 100; ++i) {
    telemetry::TrainingStep step;
    step.step = i;
    step.seconds = i < 50 ? 9 : 0.5;
    step.batch_size = 32;
    step.loading_seconds = 0.125;
    history.add(step);
  }
  const auto paces = history.training();
  ASSERT_EQ(paces.size(), 1U);
  EXPECT_EQ(paces[0].last.step, 99);
  EXPECT_EQ(paces[0].step_seconds, 0.5);
  EXPECT_EQ(paces[0].samples_per_second, 64.0);
  EXPECT_EQ(paces[0].loading_ratio, 0.25);
}

}  // namespace
}  // namespace batchscope::monitor_report
