#include "batchscope/monitor/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "made_up.hpp"

namespace batchscope::monitor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr base::Nanoseconds kShort{std::chrono::milliseconds{1}};

class QueuedSteps : public TrainingStepSource {
 public:
  std::vector<telemetry::TrainingStep> take() override { return std::exchange(next, {}); }
  std::vector<telemetry::TrainingStep> next;
};

TEST(Run, TakesAsManySamplesAsAskedAndHandsEachOn) {
  MonitorSession session;
  MadeUpSampler sampler;
  KeptSink sink;
  QueuedSteps steps;
  steps.next = {step_at(0, 1), step_at(0, 2)};
  RunParts parts{session, sampler, &steps, nullptr, {&sink}, {}, {}};
  const auto result = run({.interval = kShort, .most_samples = 3}, parts, {});
  EXPECT_EQ(result.end, RunEnd::samples);
  ASSERT_EQ(sink.ticks.size(), 3U);
  EXPECT_EQ(sink.ticks[0].steps.size(), 2U);
  EXPECT_TRUE(sink.ticks[1].steps.empty());
  EXPECT_EQ(sink.ticks[2].sample.time_ns, 2 * kSecond);
}

TEST(Run, EndsWhenAStopIsAskedForWithALastSample) {
  MonitorSession session;
  std::stop_source stop;
  MadeUpSampler sampler([&](int64_t taken) {
    if (taken == 1) stop.request_stop();
  });
  bool reported = false;
  RunParts parts{session, sampler, nullptr, nullptr, {}, {}, [&] { reported = true; }};
  const auto result = run({.interval = kShort}, parts, stop.get_token());
  EXPECT_EQ(result.end, RunEnd::stopped);
  EXPECT_TRUE(reported);
  EXPECT_EQ(sampler.taken(), 2);
}

TEST(Run, StepsThatAreReportedDuringTheLastSampleAreHandedOn) {
  MonitorSession session;
  std::stop_source stop;
  QueuedSteps steps;
  MadeUpSampler sampler([&](int64_t taken) {
    if (taken == 0) steps.next = {step_at(0, 1)};
    stop.request_stop();
  });
  KeptSink sink;
  RunParts parts{session, sampler, &steps, nullptr, {&sink}, {}, {}};
  run({.interval = std::chrono::hours(9)}, parts, stop.get_token());
  ASSERT_EQ(sink.ticks.size(), 2U);
  EXPECT_EQ(sink.ticks[1].steps.size(), 1U);
}

TEST(Run, AnIntervalOfHoursDoesNotHinderAStop) {
  MonitorSession session;
  std::stop_source stop;
  MadeUpSampler sampler([&](int64_t) { stop.request_stop(); });
  RunParts parts{session, sampler, nullptr, nullptr, {}, {}, {}};
  EXPECT_EQ(run({.interval = std::chrono::hours(9)}, parts, stop.get_token()).end, RunEnd::stopped);
}

TEST(Run, EndsAfterItsDurationThoughTheIntervalIsLonger) {
  MonitorSession session;
  MadeUpSampler sampler;
  RunParts parts{session, sampler, nullptr, nullptr, {}, {}, {}};
  const RunOptions options{.interval = std::chrono::hours(9), .duration = kShort};
  EXPECT_EQ(run(options, parts, {}).end, RunEnd::duration);
  // One where a busy machine takes longer than the duration for the first.
  EXPECT_GE(sampler.taken(), 1);
  EXPECT_LE(sampler.taken(), 2);
}

TEST(Run, EndsWithTheProcessThatIsWatched) {
  auto child = WatchedCommand::start({"true"});
  ASSERT_TRUE(child);
  ASSERT_EQ(child->wait_until(std::chrono::steady_clock::now() + std::chrono::minutes(1), {}), 0);
  MonitorSession session;
  MadeUpSampler sampler;
  RunParts parts{session, sampler, nullptr, nullptr, {}, {}, {}};
  const RunOptions options{.interval = kShort, .pid = child->pid()};
  EXPECT_EQ(run(options, parts, {}).end, RunEnd::process_gone);
}

TEST(Run, EndsWithTheCommandAndKnowsItsExitCode) {
  auto child = WatchedCommand::start({"sh", "-c", "exit 7"});
  ASSERT_TRUE(child);
  MonitorSession session;
  MadeUpSampler sampler;
  RunParts parts{session, sampler, nullptr, &*child, {}, {}, {}};
  const auto result = run({.interval = std::chrono::hours(9)}, parts, {});
  EXPECT_EQ(result.end, RunEnd::command_ended);
  EXPECT_EQ(result.exit_code, 7);
}

TEST(Run, ASinkThatFailsIsReportedOnceAndTriedAgain) {
  MonitorSession session;
  MadeUpSampler sampler;
  KeptSink sink;
  sink.failures = {false, true, true, false, true};
  std::vector<std::string> printed;
  RunParts parts{session, sampler, nullptr,
                 nullptr, {&sink}, [&](const std::string& line) { printed.push_back(line); },
                 {}};
  run({.interval = kShort, .most_samples = 5}, parts, {});
  EXPECT_THAT(printed, ElementsAre(HasSubstr("no space left"), "the sink works again",
                                   HasSubstr("no space left")));
  EXPECT_EQ(sink.ticks.size(), 5U);
}

}  // namespace
}  // namespace batchscope::monitor
