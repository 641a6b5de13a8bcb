#include "batchscope/telemetry/log_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace batchscope::telemetry {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Log : public testing::Test {
 protected:
  std::string file(std::string_view text) {
    const std::string path = testing::TempDir() + "log_" +
                             testing::UnitTest::GetInstance()->current_test_info()->name() +
                             ".jsonl";
    std::ofstream(path) << text;
    return path;
  }
};

Sample sample() {
  Sample sample;
  sample.time_ns = 1'790'000'000'123'456'789;
  GpuReading gpu;
  gpu.gpu = "0:1";
  gpu.uuid = "MIG-\"x\n";
  gpu.up = true;
  gpu.busy_ratio = 0.25;
  gpu.throttle_ns_total = {{"thermal", 5}};
  gpu.throttle_reasons = {"thermal"};
  gpu.xid_errors_total = {{"79", 1}};
  gpu.processes = {{12, 1 << 20}, {13, std::nullopt}};
  GpuReading lost;
  lost.gpu = "1";
  lost.why_down = "GPU is lost";
  sample.gpus = {gpu, lost};
  sample.host.cpu_busy_ratio_by_core = {0, 0.5, 1};
  sample.host.pressure_io_some_ratio = 0.125;
  ProcessReading process;
  process.pid = 4;
  process.name = "python3";
  process.cpu_cores = 1.5;
  sample.processes = {process};
  return sample;
}

TEST_F(Log, GivesBackWhatWasWritten) {
  LogHeader header;
  header.created = "2026-10-01T12:00:00Z";
  header.interval_seconds = 0.5;
  header.command = {"python3", "train.py"};
  TrainingStep step;
  step.time_ns = 7;
  step.step = 3120;
  step.seconds = 0.25;
  step.loss_word = "nan";
  const std::string lines =
      to_line(header) + "\n" + to_line(sample()) + "\n" + to_line(step) + "\n";
  const auto read = read_log(file(lines));
  ASSERT_TRUE(read) << base::to_string(read.error());
  EXPECT_EQ(read->unread_lines, 0) << read->first_problem;
  EXPECT_THAT(read->header.command, ElementsAre("python3", "train.py"));
  ASSERT_EQ(read->samples.size(), 1U);
  ASSERT_EQ(read->steps.size(), 1U);
  EXPECT_EQ(to_line(read->header) + "\n" + to_line(read->samples[0]) + "\n" +
                to_line(read->steps[0]) + "\n",
            lines);
  EXPECT_EQ(read->samples[0].gpus[1].why_down, "GPU is lost");
  EXPECT_EQ(read->samples[0].gpus[0].uuid, "MIG-\"x\n");
}

TEST_F(Log, WhatIsNotKnownIsCountedAndTheFirstProblemReported) {
  const auto read = read_log(file(to_line(LogHeader{}) +
                                  "\n{\"type\":\"finding\",\"id\":\"x\"}\n{\"type\":\"later\"}\n"
                                  "{\"type\":\"sample\"}\nno JSON\n" +
                                  to_line(sample()) + "\n{\"type\":\"sam"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->finding_lines, 1);
  EXPECT_EQ(read->unread_lines, 3);
  EXPECT_THAT(read->first_problem, HasSubstr("line 3"));
  EXPECT_EQ(read->samples.size(), 1U);
}

TEST_F(Log, PutsTimesThatGoBackInOrder) {
  std::string lines = to_line(LogHeader{}) + "\n";
  for (const int64_t time_ns : {5, 6, 2, 3}) {
    TrainingStep step;
    step.time_ns = step.step = time_ns;
    Sample one = sample();
    one.time_ns = time_ns;
    lines += to_line(step) + "\n" + to_line(one) + "\n";
  }
  const auto read = read_log(file(lines));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->times_back, 1);
  EXPECT_THAT(read->steps_before, testing::IsEmpty());
  for (std::size_t i = 0; i < 4; ++i) {
    const int64_t time_ns = std::array{2, 3, 5, 6}.at(i);
    EXPECT_EQ(read->samples.at(i).time_ns, time_ns);
    EXPECT_EQ(read->steps.at(i).time_ns, time_ns);
  }
}

TEST_F(Log, RefusesWhatIsNone) {
  for (const char* text : {"", "{}\n", "{\"type\":\"header\"}\n", "\x01\x02"}) {
    const auto read = read_log(file(text));
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().kind, base::ErrorKind::input);
  }
  const auto newer = read_log(file("{\"type\":\"monitor\",\"schema_version\":2}\n"));
  ASSERT_FALSE(newer);
  EXPECT_THAT(newer.error().what, HasSubstr("version 2"));
}

}  // namespace
}  // namespace batchscope::telemetry
