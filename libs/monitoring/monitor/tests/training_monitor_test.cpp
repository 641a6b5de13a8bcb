#include "batchscope/monitor/training_monitor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <thread>

#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::monitor {
namespace {

using testing::HasSubstr;

class Training : public testing::Test {
 protected:
  Training() {
    options_.log = testing::TempDir() + "training_" + name() + ".jsonl";
    options_.overwrite = true;
    options_.nvml_library = "/nowhere/libnvidia-ml.so.1";
    options_.name = "loop";
    options_.interval = std::chrono::hours(1);
  }

  static std::string name() {
    return testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  std::unique_ptr<TrainingMonitor> start() {
    auto started = TrainingMonitor::start(options_);
    EXPECT_TRUE(started) << base::to_string(started.error());
    return *std::move(started);
  }

  telemetry::LogContent log() const {
    auto content = telemetry::read_log(options_.log);
    EXPECT_TRUE(content);
    EXPECT_EQ(content->unread_lines, 0) << content->first_problem;
    return *std::move(content);
  }

  TrainingMonitorOptions options_;
};

TEST_F(Training, WhatIsLoggedIsInTheLog) {
  const auto monitor = start();
  monitor->log_step(0, 2.5, 0.1, 64, 0.25);
  monitor->log_step({.step = 1, .seconds = 0.5, .loading_seconds = 0.125});
  monitor->log_step(2, std::nan(""), 0.1, 64, 0.25);
  monitor->log_step(3, -INFINITY, 0.1, 64, 0.25);
  monitor->close();
  const auto content = log();
  ASSERT_EQ(content.steps.size(), 4U);
  EXPECT_EQ(content.steps[0].loss, 2.5);
  EXPECT_EQ(content.steps[0].source, "loop");
  EXPECT_EQ(content.steps[0].batch_size, 64);
  EXPECT_EQ(content.steps[1].loading_seconds, 0.125);
  EXPECT_FALSE(content.steps[1].loss);
  EXPECT_EQ(content.steps[2].loss_word, "nan");
  EXPECT_EQ(content.steps[3].loss_word, "-inf");
  ASSERT_GE(content.samples.size(), 1U);
  EXPECT_GT(content.samples.back().host.memory_total_bytes.value_or(0), 0);
  EXPECT_FALSE(content.samples.back().gpu_absent.empty());
}

TEST_F(Training, AMistakeInANumberCostsNoMoreThanThatNumber) {
  std::vector<std::string> warned;
  options_.warn = [&](const std::string& line) { warned.push_back(line); };
  const auto monitor = start();
  monitor->log_step({.step = 0, .seconds = 0.5, .batch_size = -50});
  monitor->log_step({.step = 1, .seconds = 0.1, .loading_seconds = 5});
  monitor->log_step({.step = 2, .seconds = std::nan("")});
  monitor->log_step({.step = 3, .seconds = -1});
  monitor->close();
  const auto content = log();
  ASSERT_EQ(content.steps.size(), 2U);
  EXPECT_FALSE(content.steps[0].batch_size);
  EXPECT_DOUBLE_EQ(content.steps[1].seconds, 5.1);
  EXPECT_EQ(content.steps[1].loading_seconds, 5);
  EXPECT_THAT(warned, testing::ElementsAre(HasSubstr("batch_size is not above 0")));
}

TEST_F(Training, ALossThatIsNoNumberIsFoundAndReported) {
  std::vector<std::string> reported;
  options_.on_change = [&](const watch::ActiveFinding& change) {
    reported.push_back(change.finding.id);
  };
  const auto monitor = start();
  for (int step = 0; step < 10; ++step) monitor->log_step(step, 1, 0.1, 8, 0.1);
  monitor->log_step(10, std::nan(""), 0.1, 8, 0.1);
  monitor->close();
  EXPECT_THAT(reported, testing::Contains(HasSubstr("not-finite")));
  EXPECT_FALSE(monitor->all().empty());
}

TEST_F(Training, MayBeReportedFromSeveralThreads) {
  const auto monitor = start();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int step = 0; step < 1000; ++step) monitor->log_step(step * 4 + thread, 1, 0.1, 8, 0.1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  monitor->close();
  EXPECT_EQ(log().steps.size(), 4000U);
  EXPECT_EQ(monitor->dropped_steps(), 0);
}

TEST_F(Training, AfterTheEndNothingIsTakenAndNothingBreaks) {
  const auto monitor = start();
  monitor->close();
  monitor->log_step(0, 1, 0.1, 8, 0.1);
  monitor->close();
  EXPECT_TRUE(log().steps.empty());
}

TEST_F(Training, ALogThatExistsIsNotReplacedUnasked) {
  start()->close();
  options_.overwrite = false;
  const auto refused = TrainingMonitor::start(options_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::usage);
}

TEST_F(Training, ProfilesAreBegunAndEndedBetweenStepsAndNamedInTheLog) {
  int begun = 0, ended = 0;
  options_.profile = {.every = 10, .steps = 2, .most_overhead = 1};
  options_.begin_profile = [&] { ++begun; };
  options_.end_profile = [&] { return "profile_" + std::to_string(ended++) + ".json"; };
  const auto monitor = start();
  for (int step = 0; step < 24; ++step) {
    const bool profiles = step == 9 || step == 11 || step == 21 || step == 23;
    EXPECT_EQ(monitor->log_step(step, 1, 0.1, 8, 0.1) > 0, profiles) << step;
  }
  monitor->close();
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(ended, 2);
  EXPECT_EQ(log().steps[11].profile_file, "profile_0.json");
  EXPECT_LE(monitor->profile_overhead(), 1);
}

}  // namespace
}  // namespace batchscope::monitor
