#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "batchscope/monitor/log_header.hpp"
#include "batchscope/monitor/outputs.hpp"
#include "batchscope/monitor/replay.hpp"
#include "made_up.hpp"

namespace batchscope::monitor {
namespace {

Tick tick_with_all() {
  Tick tick;
  tick.sample = sample_at(3);
  tick.steps = {step_at(1, 1), step_at(2, 2)};
  watch::ActiveFinding active;
  active.finding.id = "monitor.test";
  active.since_ns = 5;
  tick.changes = {active};
  tick.active = {active};
  return tick;
}

TEST(LogSink, WritesAHeaderAndFullTicks) {
  const std::string path = testing::TempDir() + "log_sink.jsonl";
  OutputOptions options;
  options.interval = std::chrono::seconds(2);
  options.window = std::chrono::seconds(8);
  const auto header = log_header(options);
  EXPECT_EQ(as_judged(header).window.window_seconds, 8);
  EXPECT_THAT(header.created, testing::MatchesRegex("20..-..-..T..:..:..Z"));
  auto sink = record_to(path, true, header);
  ASSERT_TRUE(sink);
  ASSERT_TRUE((*sink)->take(tick_with_all()));
  // While it still writes: whoever is killed leaves this.
  const auto log = telemetry::read_log(path);
  ASSERT_TRUE(log);
  EXPECT_EQ(log->unread_lines, 0) << log->first_problem;
  EXPECT_EQ(log->header.interval_seconds, 2);
  EXPECT_EQ(log->steps.size(), 2U);
  EXPECT_EQ(log->samples.size(), 1U);
  EXPECT_EQ(log->finding_lines, 1);
}

TEST(LogSink, TheHeaderHasAllThatJudges) {
  const std::string path = testing::TempDir() + "log_sink_judged.jsonl";
  OutputOptions options;
  options.rules.targets.gpu_busy = {0.1, 0.2};
  options.rules.targets.cpu_busy.low = 0.3;
  options.rules.targets.straggler_busy = 0.4;
  options.rules.steps.least_change = 0.5;
  options.rules.window.raise_seconds = 7;
  ASSERT_TRUE(record_to(path, true, log_header(options)));
  auto log = telemetry::read_log(path);
  ASSERT_TRUE(log);
  log->header.judged_by.push_back({"of another version", 1});
  const MonitorOptions judged = as_judged(log->header);
  EXPECT_EQ(judged.targets.gpu_busy.low, 0.1);
  EXPECT_EQ(judged.targets.gpu_busy.high, 0.2);
  EXPECT_EQ(judged.targets.cpu_busy.low, 0.3);
  EXPECT_EQ(judged.targets.cpu_busy.high, watch::Targets{}.cpu_busy.high);
  EXPECT_EQ(judged.targets.straggler_busy, 0.4);
  EXPECT_EQ(judged.steps.least_change, 0.5);
  EXPECT_EQ(judged.window.raise_seconds, 7);
  // Every number of the targets.
  EXPECT_EQ(std::ranges::count_if(log->header.judged_by,
                                  [](const auto& one) { return !one.name.ends_with("_seconds"); }),
            static_cast<int64_t>(sizeof(watch::Targets) / sizeof(double)) + 2);
}

TEST(LogSink, DoesNotReplaceALogUnasked) {
  const std::string path = testing::TempDir() + "log_sink_exists.jsonl";
  ASSERT_TRUE(record_to(path, true, {}));
  const auto refused = record_to(path, false, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::usage);
}

TEST(LogSink, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  EXPECT_FALSE(record_to("/dev/full", true, {}));
}

class KeptServer : public exporter::MetricsServer {
 public:
  void publish(exporter::MetricsSnapshot exposition) override { shown = std::move(exposition); }
  std::string address() const override { return {}; }
  std::vector<std::string> warnings() const override { return {}; }

  exporter::MetricsSnapshot shown;
};

TEST(ServerSink, CountsStepsAndSamplesBySource) {
  KeptServer server;
  const auto sink = published_by(server);
  Tick tick = tick_with_all();
  tick.steps[0].source = tick.steps[1].source = "loop";
  tick.steps[1].batch_size = 8;
  ASSERT_TRUE(sink->take(tick));
  EXPECT_EQ(server.shown.steps_total["loop"], 2);
  EXPECT_EQ(server.shown.samples_total["loop"], 8);
  ASSERT_EQ(server.shown.steps.size(), 1U);
  EXPECT_EQ(server.shown.steps[0].step, 2);
}

TEST(ServerSink, ALossEveryTenthStepIsThereAtEachOne) {
  KeptServer server;
  const auto sink = published_by(server);
  Tick tick = tick_with_all();
  tick.steps = {step_at(1, 1)};
  tick.steps[0].loss = 1.5;
  tick.steps[0].learning_rate = 0.1;
  tick.steps[0].batch_size = 8;
  ASSERT_TRUE(sink->take(tick));
  for (int64_t number = 2; number <= 10; ++number) {
    tick.steps = {step_at(number, number)};
    tick.steps[0].loss.reset();
    ASSERT_TRUE(sink->take(tick));
    EXPECT_EQ(server.shown.steps.at(0).step, number);
    EXPECT_EQ(server.shown.steps.at(0).loss, 1.5);
    EXPECT_EQ(server.shown.steps.at(0).learning_rate, 0.1);
    EXPECT_EQ(server.shown.steps.at(0).batch_size, 8);
  }
  EXPECT_EQ(server.shown.samples_total.at(""), 8) << "only what was told counts";
}

TEST(ServerSink, ALossThatIsNotFiniteStaysSoUntilAnotherIsReported) {
  KeptServer server;
  const auto sink = published_by(server);
  Tick tick = tick_with_all();
  tick.steps = {step_at(1, 1), step_at(2, 2), step_at(3, 3)};
  tick.steps[0].loss = 1.5;
  tick.steps[1].loss.reset();
  tick.steps[1].loss_word = "nan";
  tick.steps[2].loss.reset();
  ASSERT_TRUE(sink->take(tick));
  EXPECT_FALSE(server.shown.steps.at(0).loss);
  tick.steps = {step_at(4, 4)};
  tick.steps[0].loss = 2;
  ASSERT_TRUE(sink->take(tick));
  EXPECT_EQ(server.shown.steps.at(0).loss, 2);
  EXPECT_EQ(server.shown.steps.at(0).loss_word, "");
}

TEST(ServerSink, ALoopThatIsSilentForAnHourIsForgotten) {
  KeptServer server;
  const auto sink = published_by(server);
  Tick tick = tick_with_all();
  ASSERT_TRUE(sink->take(tick));
  tick.steps.clear();
  tick.sample = sample_at(3603);
  ASSERT_TRUE(sink->take(tick));
  EXPECT_EQ(server.shown.steps.size(), 1U);
  tick.sample = sample_at(3604);
  ASSERT_TRUE(sink->take(tick));
  EXPECT_TRUE(server.shown.steps.empty());
  EXPECT_TRUE(server.shown.steps_total.empty());
}

TEST(TensorBoardSink, WritesIntoItsFolder) {
  const std::string folder = testing::TempDir() + "tensorboard_sink";
  std::filesystem::remove_all(folder);
  auto sink = tensorboard_in(folder, kSecond);
  ASSERT_TRUE(sink) << base::to_string(sink.error());
  ASSERT_TRUE((*sink)->take(tick_with_all()));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_NE(entry.path().filename().string().find("tfevents"), std::string::npos);
    EXPECT_GT(entry.file_size(), 200U);
    ++files;
  }
  EXPECT_EQ(files, 1);
}

}  // namespace
}  // namespace batchscope::monitor
