#include "batchscope/monitor/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_up.hpp"

namespace batchscope::monitor {
namespace {

using testing::ElementsAre;

std::vector<size_t> steps_a_tick(const telemetry::LogContent& log) {
  MonitorSession session;
  std::vector<size_t> steps;
  replay(log, session, [&](const Tick& tick) { steps.push_back(tick.steps.size()); });
  return steps;
}

TEST(Replay, StepsComeWithTheSampleThatFollowsThem) {
  telemetry::LogContent log;
  for (const int64_t second : {0, 1, 2}) log.samples.push_back(sample_at(second));
  log.steps = {step_at(0, 1), step_at(1, 2), step_at(1, 3)};
  EXPECT_THAT(steps_a_tick(log), ElementsAre(1, 2, 0));
}

TEST(Replay, AClockThatIsWrongHoldsNothingUp) {
  telemetry::LogContent log;
  for (const int64_t second : {0, 1, 2}) log.samples.push_back(sample_at(second));
  log.steps = {step_at(1, 1), step_at(1'000'000, 2), step_at(2, 3)};
  log.steps_before = {1, 2, 3};
  EXPECT_THAT(steps_a_tick(log), ElementsAre(1, 1, 1));
}

TEST(Replay, ALogThatEndsWithStepsHasNoSampleMore) {
  telemetry::LogContent log;
  log.samples = {sample_at(0), sample_at(4)};
  log.steps = {step_at(5, 1), step_at(6, 2)};
  MonitorSession session;
  const auto summary = summary_of(log, session);
  EXPECT_EQ(summary.samples, 2);
  EXPECT_EQ(summary.ended_ns, 4 * kSecond);
  ASSERT_EQ(summary.training.size(), 1U);
  EXPECT_EQ(summary.training[0].steps, 2);
}

TEST(Replay, StepsBehindTheLastSampleAreNotLost) {
  telemetry::LogContent log;
  log.samples = {sample_at(0)};
  log.steps = {step_at(5, 1), step_at(6, 2)};
  EXPECT_THAT(steps_a_tick(log), ElementsAre(0, 2));
}

TEST(Replay, ALogOfStepsAloneIsOneTick) {
  telemetry::LogContent log;
  log.steps = {step_at(5, 1)};
  EXPECT_THAT(steps_a_tick(log), ElementsAre(1));
  EXPECT_TRUE(steps_a_tick({}).empty());
}

}  // namespace
}  // namespace batchscope::monitor
