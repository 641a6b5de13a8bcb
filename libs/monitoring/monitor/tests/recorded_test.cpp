// What was recorded beside real programs on a real GPU is judged rightly (recorded/README.md).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "batchscope/monitor/replay.hpp"
#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::monitor {
namespace {

using findings::Severity;

struct RecordedScene {
  const char* name;
  const char* worst;  // the finding; empty: none but information
  Severity severity;
};

class RecordedLog : public testing::TestWithParam<RecordedScene> {};

TEST_P(RecordedLog, IsJudgedRightly) {
  const RecordedScene& scene = GetParam();
  const auto log = telemetry::read_log(std::string(RECORDED) + "/" + scene.name + ".jsonl");
  ASSERT_TRUE(log) << base::to_string(log.error());
  MonitorSession session(as_judged(log->header));
  replay(*log, session);
  const auto all = session.all();
  const bool found = !all.empty() && all.front().finding.severity > Severity::info;
  ASSERT_EQ(found, *scene.worst != '\0') << (found ? all.front().finding.what : "nothing");
  if (!found) return;
  EXPECT_EQ(all.front().finding.id, scene.worst) << all.front().finding.what;
  EXPECT_EQ(all.front().finding.severity, scene.severity);
}

INSTANTIATE_TEST_SUITE_P(
    H100, RecordedLog,
    testing::Values(RecordedScene{"loader", "monitor.loading", Severity::high},
                    RecordedScene{"host", "monitor.host-bound", Severity::low},
                    RecordedScene{"small", "", Severity::info},
                    RecordedScene{"healthy", "monitor.power-cap", Severity::low},
                    RecordedScene{"memory", "monitor.memory-bound", Severity::low}),
    [](const auto& of) { return std::string(of.param.name); });

// A line of these tables is an epoch: what is said of one is no step's.
TEST(RecordedEpochs, AreCalledSo) {
  const auto file = std::filesystem::path(testing::TempDir()) / "results.csv";
  std::ofstream out(file);
  out << "epoch,time,train/box_loss,val/box_loss\n";
  double time = 0;
  for (int epoch = 1; epoch <= 60; ++epoch) {
    time += (epoch == 33 ? 900 : 30) + 0.3 * (epoch % 3);
    out << epoch << ',' << time << ',' << 1.0 / epoch << ",1\n";
  }
  out.close();
  const auto recorded = read_log_file(file);
  ASSERT_TRUE(recorded) << base::to_string(recorded.error());
  MonitorSession session;
  const MonitorSummary summary = summary_of(recorded->log, session);
  EXPECT_TRUE(summary.steps_are_epochs);
  ASSERT_EQ(summary.findings.size(), 1U);
  const findings::Finding& finding = summary.findings[0].finding;
  EXPECT_EQ(finding.id, "training.slow-steps");
  EXPECT_NE(finding.what.find("Epoch 33 took"), std::string::npos) << finding.what;
  EXPECT_EQ(finding.what.find("step"), std::string::npos) << finding.what;
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace batchscope::monitor
