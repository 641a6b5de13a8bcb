#include "batchscope/training/step_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "watched.hpp"

namespace batchscope::training {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(Watched, TellsThroughput) {
  EXPECT_FALSE(watch_.throughput("a"));
  for (int i = 0; i < 100; ++i) {
    auto step = next(i % 10 == 9 ? 1.1 : 0.1);
    step.batch_size = 32;
    watch_.add(step);
  }
  const auto rate = watch_.throughput("a");
  ASSERT_TRUE(rate);
  EXPECT_EQ(rate->steps, 100);
  EXPECT_EQ(rate->last_step, 100);
  EXPECT_NEAR(rate->steps_per_second.value(), 10, 1e-9);
  EXPECT_NEAR(rate->samples_per_second.value(), 320, 1e-9);
  EXPECT_NEAR(rate->overall_steps_per_second.value(), 5, 1e-9);
  EXPECT_NEAR(rate->overall_samples_per_second.value(), 160, 1e-9);
  EXPECT_THAT(watch_.sources(), testing::ElementsAre("a"));
}

TEST_F(Watched, SaysWhenStepsBecameSlowerAndWhenTheyRecovered) {
  make(500);
  make(64, 0.114);
  ASSERT_EQ(watch_.active().size(), 1u);
  const auto raised = watch_.take_changes();
  ASSERT_EQ(raised.size(), 1u);
  EXPECT_EQ(raised[0].finding.id, "training.regression");
  EXPECT_EQ(raised[0].finding.severity, findings::Severity::medium);
  EXPECT_EQ(raised[0].finding.table, "a");
  EXPECT_THAT(raised[0].finding.what, HasSubstr("Steps take 14 % longer"));
  EXPECT_THAT(raised[0].finding.what, HasSubstr("since step 501"));
  EXPECT_THAT(watch_.take_changes(), IsEmpty());
  make(64);
  EXPECT_THAT(watch_.active(), IsEmpty());
  const auto ended = watch_.take_changes();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_TRUE(ended[0].ended_ns);
  EXPECT_EQ(watch_.all().size(), 1u);
}

TEST_F(Watched, DoesNotTellOfStepsThatAProfileMadeSlower) {
  telemetry::TrainingStep slow;
  for (int i = 0; i < 1000; ++i) {
    slow = next(i % 100 < 6 ? 0.4 : 0.1);
    slow.profiled = i % 100 < 6;
    watch_.add(slow);
  }
  EXPECT_THAT(watch_.all(), IsEmpty());
  slow = next(0.4);
  slow.profiled = true;
  slow.loss_word = "nan";
  watch_.add(slow);
  ASSERT_EQ(watch_.active().size(), 1u) << "but of what they computed";
  EXPECT_EQ(watch_.active()[0].finding.id, "training.loss-not-finite");
  EXPECT_EQ(watch_.throughput("a")->steps, 1001);
}

TEST_F(Watched, TellsLoggingAndCheckpointsAtAMultipleOfItApart) {
  for (int i = 0; i < 4000; ++i) {
    const bool saves = i % 500 == 499, logs = i % 50 == 49;
    watch_.add(next(saves ? 20.1 : logs ? 0.3 : 0.1));
  }
  EXPECT_THAT(sentences(watch_.active()),
              testing::UnorderedElementsAre(
                  HasSubstr("One of every 500 steps takes 20.0 s longer, which costs 28"),
                  HasSubstr("One of every 50 steps takes 200 ms longer")));
}

TEST_F(Watched, ARhythmMayBeOffByAStep) {
  const std::set<int64_t> evaluations{900, 1801, 2700, 3599, 4500, 5401};
  while (step_ < 5500) watch_.add(next(evaluations.contains(step_ + 1) ? 30.1 : 0.1));
  EXPECT_THAT(sentences(watch_.active()),
              testing::ElementsAre(
                  HasSubstr("One of every 900 steps takes 30.0 s longer, which costs 25 %")));
}

TEST_F(Watched, ProfiledStepsHaveTheirPlaceInARhythm) {
  while (step_ < 3000) {
    auto step = next((step_ + 1) % 100 == 0 ? 5.1 : 0.1);
    step.profiled = step_ % 300 < 6 && step_ > 300;
    watch_.add(step);
  }
  EXPECT_THAT(sentences(watch_.all()),
              testing::ElementsAre(HasSubstr("One of every 100 steps takes 5.00 s longer")));
}

TEST_F(Watched, ALoopThatTellsEveryTenthStepHasItsRhythmInSteps) {
  while (step_ < 6000) {
    step_ += 9;
    watch_.add(next((step_ + 1) % 100 == 0 ? 5.1 : 0.1));
  }
  EXPECT_THAT(sentences(watch_.active()),
              testing::ElementsAre(HasSubstr("One of every 100 steps takes 5.00 s longer")));
}

TEST_F(Watched, AGpuOfAnotherJobExplainsNothing) {
  for (const int64_t user : {7, 8}) {
    StepWatch watch;
    for (int i = 0; i < 600; ++i) {
      watch.add(next(i < 500 ? 0.1 : 0.2));
      telemetry::Sample sample;
      sample.time_ns = now_;
      sample.processes.resize(1);
      sample.processes[0].pid = 7;
      sample.gpus.resize(1);
      sample.gpus[0].gpu = "3";
      sample.gpus[0].up = true;
      sample.gpus[0].sm_clock_hertz = i < 500 ? 1.9e9 : 1.2e9;
      sample.gpus[0].processes = {{user, {}, false}};
      watch.add(sample);
    }
    ASSERT_EQ(watch.active().size(), 1u);
    const std::string what = watch.active()[0].finding.what;
    EXPECT_EQ(what.find("SM clock of GPU 3") != std::string::npos, user == 7) << what;
  }
}

TEST_F(Watched, TakesNoWarmUpOfTheLearningRateForAnError) {
  make_at_rate(19, 0);
  make_at_rate(1, 1e-6);
  EXPECT_THAT(watch_.all(), IsEmpty());
  make_at_rate(20, 0);
  ASSERT_EQ(watch_.active().size(), 1u);
  EXPECT_EQ(watch_.active()[0].finding.id, "training.learning-rate-zero");
  make_at_rate(1, 1e-3);
  EXPECT_THAT(watch_.active(), IsEmpty());
}

TEST_F(Watched, WaitsForBatchesAreReportedOfTheStepsThatWaited) {
  const auto wait = [&](int steps, double seconds, double share) {
    for (int i = 0; i < steps; ++i) {
      auto step = next(seconds);
      step.loading_seconds = share * seconds;
      watch_.add(step);
    }
  };
  wait(4000, 0.25, 0.02);
  const int64_t began_ns = now_;
  wait(240, 0.5, 0.5);
  const int64_t ended_ns = now_;
  wait(4000, 0.25, 0.02);
  const auto all = watch_.all();
  const auto found = std::ranges::find_if(
      all, [](const auto& one) { return one.finding.id == "training.loading"; });
  ASSERT_NE(found, all.end());
  EXPECT_THAT(found->finding.what, HasSubstr("240 steps spent 50 % of their time waiting"));
  EXPECT_NEAR(static_cast<double>(found->since_ns - began_ns) / 1e9, 0, 1);
  EXPECT_NEAR(static_cast<double>(*found->ended_ns - ended_ns) / 1e9, 0, 1);
}

TEST_F(Watched, TellsOfASingleStepThatHung) {
  make(900);
  make(1, 60);
  make(40);
  ASSERT_EQ(watch_.active().size(), 1u);
  const auto hung = watch_.active()[0].finding;
  EXPECT_EQ(hung.id, "training.slow-steps");
  EXPECT_EQ(hung.severity, findings::Severity::low);
  EXPECT_EQ(
      hung.what,
      "Step 901 took 60.0 s, 600 times a typical one: 39 % of the time of the last 926 steps");
  make(1000);
  EXPECT_THAT(watch_.active(), IsEmpty());
}

TEST_F(Watched, BeginsAnewWhereALoopIsRestarted) {
  make(500);
  make(64, 0.2);
  ASSERT_EQ(watch_.active().size(), 1u);
  step_ = 100;
  make(1, 0.2);
  EXPECT_THAT(watch_.active(), IsEmpty());
  make(300, 0.2);
  EXPECT_THAT(watch_.active(), IsEmpty());
}

TEST_F(Watched, EpochsThatCountTheirStepsAnewAreOneTraining) {
  for (int epoch = 0; epoch < 20; ++epoch) {
    for (step_ = -1; step_ < 29;) {
      auto step = next();
      step.loading_seconds = 0.05;
      if (epoch >= 5) step.loss_word = "nan";
      watch_.add(step);
    }
  }
  EXPECT_THAT(
      sentences(watch_.all()),
      testing::UnorderedElementsAre("The loss became nan at step 150, for 450 steps in a row",
                                    HasSubstr("563 steps spent 50 % of their time waiting")));
  EXPECT_EQ(watch_.throughput("a")->last_step, 599);
}

TEST_F(Watched, WhatComesAndGoesWeighsLess) {
  std::vector<findings::Severity> severities;
  for (int epoch = 0; epoch < 5; ++epoch) {
    make(300);
    make(100, 0.2);
    for (const auto& one : watch_.take_changes()) {
      if (!one.ended_ns) severities.push_back(one.finding.severity);
    }
  }
  make(100);
  using enum findings::Severity;
  EXPECT_THAT(severities, testing::ElementsAre(high, high, low, low, low));
  // Together they are one, from the fourth on.
  ASSERT_EQ(watch_.all().size(), 1U);
  const watch::ActiveFinding all = watch_.all().front();
  EXPECT_EQ(all.finding.severity, high);
  EXPECT_EQ(all.times, 5);
  EXPECT_EQ(all.episodes.size(), 5U);
  EXPECT_NEAR(watch::active_seconds(all, 0), 5 * 20, 1) << "of 100 steps of 0.2 s";
}

TEST_F(Watched, AChangeThatGoesBackInPartIsReportedAsItIsSince) {
  make(500);
  make(200, 0.15);
  make(200, 0.12);
  EXPECT_THAT(
      sentences(watch_.active()),
      testing::ElementsAre(testing::ContainsRegex(
          "Steps take 20 % longer.* than before step 501; they were even slower until step 701")));
  const auto all = watch_.all();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all[0].finding.what, testing::ContainsRegex("Steps take (49|50) % longer"));
  ASSERT_TRUE(all[0].ended_ns);
  EXPECT_EQ(all[0].ended_ns, all[1].since_ns);
  make(200);
  EXPECT_THAT(watch_.active(), IsEmpty());
}

// An evaluation that is told under the name of the training.
TEST_F(Watched, StepsAsBeforeSomeFasterOnesAreLow) {
  for (const auto& [steps, faster] : {std::pair{390, 40}, {250, 60}, {1200, 150}}) {
    for (int round = 0; round < 5; ++round) {
      make(steps);
      make(faster, 0.03);
    }
    make(100);
    ASSERT_THAT(watch_.all(), testing::Not(IsEmpty()));
    for (const auto& one : watch_.all()) {
      EXPECT_EQ(one.finding.severity, findings::Severity::low) << one.finding.what;
      EXPECT_THAT(one.finding.what, testing::ContainsRegex("; they were this slow before step"));
    }
  }
}

// Each epoch is nearly as the one before it, and the tenth is not as the first.
TEST_F(Watched, WhatCreepsBetweenFasterStepsIsNotAsBefore) {
  for (int epoch = 0; epoch < 10; ++epoch) {
    make(500, 0.1 * std::pow(1.015, epoch));
    make(50, 0.03);
  }
  EXPECT_EQ(watch_.all().front().finding.severity, findings::Severity::high);
}

TEST_F(Watched, StepsThatAreNotAsBeforeAreSlower) {
  make(500);
  make(100, 0.05);
  make(300, 0.09);
  EXPECT_THAT(sentences(watch_.active()),
              testing::ElementsAre(testing::ContainsRegex("80 % longer.* since step 601")));
}

// What was told is no measure of what comes.
TEST_F(Watched, StepsAsSlowAsOnesThatWereReportedAreReportedAgain) {
  make(500);
  make(400, 0.15);
  make(100);
  make(200, 0.15);
  EXPECT_THAT(sentences(watch_.active()),
              testing::ElementsAre(testing::ContainsRegex("50 % longer.* since step 1001")));
}

TEST_F(Watched, StepsThatWereFasterForLongAreSlowerAfterwards) {
  make(200);
  make(300, 0.05);
  make(300);
  EXPECT_THAT(sentences(watch_.active()),
              testing::ElementsAre(testing::ContainsRegex("(99|100) % longer.* since step 501")));
}

TEST_F(Watched, SlowingIsReportedAsItIsNow) {
  for (int i = 0; i < 3000; ++i) watch_.add(next(0.1 * (1 + 0.0001 * i)));
  ASSERT_EQ(watch_.active().size(), 1U);
  EXPECT_THAT(watch_.active()[0].finding.what,
              testing::ContainsRegex("slow down gradually: (29|30) % longer"));
}

TEST_F(Watched, SlowingByFarIsReportedInTimes) {
  for (int i = 0; i < 3000; ++i) watch_.add(next(0.1 * std::exp(0.001 * i)));
  ASSERT_EQ(watch_.active().size(), 1U);
  EXPECT_THAT(watch_.active()[0].finding.what,
              testing::ContainsRegex("slow down gradually: 1[5-9][^ ]* times as long"));
}

TEST_F(Watched, PassesOverTimesThatAreNone) {
  for (const double seconds : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    auto step = next();
    step.seconds = seconds;
    watch_.add(step);
  }
  EXPECT_THAT(watch_.sources(), IsEmpty());
}

TEST_F(Watched, JudgesTheLossesOfStepsWithoutTimes) {
  for (int i = 0; i < 100; ++i) {
    auto step = next(0);
    step.loss_word = i < 50 ? "" : "nan";
    if (i < 50) step.loss = 1;
    watch_.add(step);
  }
  ASSERT_EQ(watch_.active().size(), 1U);
  EXPECT_EQ(watch_.active()[0].finding.id, "training.loss-not-finite");
  EXPECT_FALSE(watch_.throughput("a")->steps_per_second);
  step_ = 0;
  watch_.add(next(0));
  EXPECT_THAT(watch_.active(), IsEmpty());
}

TEST_F(Watched, KeepsTheSourcesThatTellMostRecently) {
  StepOptions options;
  options.most_sources = 2;
  StepWatch watch(options);
  for (const char* name : {"a", "b", "a", "c"}) {
    auto step = next();
    step.source = name;
    watch.add(step);
  }
  EXPECT_THAT(watch.sources(), testing::ElementsAre("a", "c"));
}

}  // namespace
}  // namespace batchscope::training
