// What was recorded beside real programs on a real GPU is judged rightly (recorded/README.md).
#include <gtest/gtest.h>

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

class Recorded : public testing::TestWithParam<RecordedScene> {};

TEST_P(Recorded, IsJudgedRightly) {
  const RecordedScene& scene = GetParam();
  const auto log = telemetry::read_log(std::string(RECORDED) + "/" + scene.name + ".jsonl");
  ASSERT_TRUE(log) << base::to_string(log.error());
  Session session(as_judged(log->header));
  replay(*log, session);
  const auto all = session.all();
  const bool found = !all.empty() && all.front().finding.severity > Severity::info;
  ASSERT_EQ(found, *scene.worst != '\0') << (found ? all.front().finding.what : "nothing");
  if (!found) return;
  EXPECT_EQ(all.front().finding.id, scene.worst) << all.front().finding.what;
  EXPECT_EQ(all.front().finding.severity, scene.severity);
}

INSTANTIATE_TEST_SUITE_P(
    H100, Recorded,
    testing::Values(RecordedScene{"loader", "monitor.loading", Severity::high},
                    RecordedScene{"host", "monitor.host-bound", Severity::low},
                    RecordedScene{"small", "", Severity::info},
                    RecordedScene{"healthy", "monitor.power-cap", Severity::low},
                    RecordedScene{"memory", "monitor.memory-bound", Severity::low}),
    [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace batchscope::monitor
