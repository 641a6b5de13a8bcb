#include "batchscope/monitor/session.hpp"

#include <gtest/gtest.h>

#include "made_up.hpp"

namespace batchscope::monitor {
namespace {

TEST(MonitorSession, ATickHasWhatCameSinceTheOneBefore) {
  MonitorSession session;
  session.add(step_at(0, 1));
  EXPECT_EQ(session.add(sample_at(1)).steps.size(), 1U);
  EXPECT_TRUE(session.add(sample_at(2)).steps.empty());
  EXPECT_EQ(session.last().sample.time_ns, 2 * kSecond);
}

TEST(MonitorSession, AWindowIsFullAfterTwelvePartsOfFullIntervals) {
  MonitorOptions options;
  set_window(options, std::chrono::seconds(5));
  const MonitorSession session(options);
  EXPECT_DOUBLE_EQ(session.min_detection_seconds(1), 12 + 1.25);
  EXPECT_DOUBLE_EQ(session.min_detection_seconds(0.25), 6 + 1.25);
  EXPECT_DOUBLE_EQ(MonitorSession().min_detection_seconds(1), 60 + 30);
}

TEST(MonitorSession, FindingsOfStepsAndOfTheMachineAreReportedTogetherWorstFirst) {
  MonitorSession session;
  for (int64_t second = 0; second < 300; ++second) {
    telemetry::Sample sample = sample_at(second);
    telemetry::GpuReading gpu;
    gpu.gpu = "0";
    gpu.why_down = "GPU is lost";
    gpu.up = second < 100;
    sample.gpus = {gpu};
    telemetry::TrainingStep step = step_at(second, second);
    if (second == 200) {
      step.loss_word = "nan";
    } else {
      step.loss = 1;
    }
    session.add(step);
    session.add(sample);
  }
  const auto all = session.all();
  ASSERT_GE(all.size(), 2U);
  bool machine = false, steps = false;
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_GE(all[i > 0 ? i - 1 : 0].finding.severity, all[i].finding.severity);
    machine |= all[i].finding.id.starts_with("monitor.");
    steps |= all[i].finding.id.starts_with("training.");
  }
  EXPECT_TRUE(machine);
  EXPECT_TRUE(steps);
}

}  // namespace
}  // namespace batchscope::monitor
