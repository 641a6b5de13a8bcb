#include "batchscope/tune/tune.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "tuned_runs.hpp"

namespace batchscope::tune {
namespace {

using testing::HasSubstr;

TEST(Tune, PicksVerifiesAndSaysSo) {
  const TunePlan plan;
  Heard heard;
  const schema::RunFile run = tuned_run(job_of(48, plan), plan, heard);
  const Tuned tuned = tuned_of(run, plan);
  ASSERT_TRUE(tuned.outcome.pick);
  EXPECT_GE(tuned.outcome.grid[*tuned.outcome.pick].shape.batch_size, 41);
  EXPECT_LE(heard.points.size(), 9U);
  EXPECT_EQ(heard.verified.size(), 3U);
  EXPECT_TRUE(tuned.verified);
  EXPECT_FALSE(tuned.withdrawn);
  ASSERT_EQ(tuned.contrasts.size(), 2U);
  EXPECT_EQ(tuned.contrasts[0].what, "the default");
  EXPECT_EQ(tuned.contrasts[0].n, plan.goal.fresh_blocks());
  EXPECT_THAT(tuned.verdict, HasSubstr("Verified in 12 separate visits"));
  EXPECT_EQ(run.end->reason, schema::EndReason::blocks_done);
}

TEST(Tune, EnginesThatComputeSomethingElseAreNotPicked) {
  const TunePlan plan;
  Heard heard;
  schema::RunFile run = tuned_run(job_of(8, plan), plan, heard);
  EXPECT_TRUE(tuned_of(run, plan).warnings.empty());
  const std::size_t pick = *tuned_of(run, plan).outcome.pick;
  run.configs[pick].engine = "other";
  const Tuned not_compared = tuned_of(run, plan);
  EXPECT_NE(not_compared.outcome.pick, pick);
  ASSERT_EQ(not_compared.warnings.size(), 1U);
  EXPECT_THAT(not_compared.warnings[0], HasSubstr("1 point is excluded"));
  EXPECT_THAT(not_compared.warnings[0], HasSubstr("not compared"));
  run.outputs = {{static_cast<int>(pick), 0, 0.7, 0.5, 10}};
  const Tuned other = tuned_of(run, plan);
  EXPECT_NE(other.outcome.pick, pick);
  EXPECT_THAT(other.warnings.at(0), HasSubstr("does not compute"));
  const findings::Tuning reported = tuning_of(other);
  EXPECT_EQ(std::count_if(reported.points.begin(), reported.points.end(),
                          [](const auto& point) { return !point.left_out.empty(); }),
            1);
  EXPECT_EQ(recommendation_of(reported)->left_out.size(), 1U);
  run.outputs[0].cosine = 0.9999;
  EXPECT_EQ(tuned_of(run, plan).outcome.pick, pick);
  EXPECT_TRUE(tuned_of(run, plan).warnings.empty());
}

TEST(Tune, ADeviceThatComputesSomethingElseIsNotPicked) {
  const TunePlan plan;
  Heard heard;
  schema::RunFile run = tuned_run(job_of(8, plan), plan, heard);
  const std::size_t pick = *tuned_of(run, plan).outcome.pick;
  run.configs[pick].device = "cuda:0";
  EXPECT_EQ(tuned_of(run, plan).outcome.pick, pick) << "nothing speaks against it";
  run.outputs = {{static_cast<int>(pick), 0, 0.7, 0.5, 10}};
  const Tuned other = tuned_of(run, plan);
  EXPECT_NE(other.outcome.pick, pick);
  EXPECT_THAT(other.warnings.at(0), HasSubstr("cuda:0 does not compute the same as cpu"));
}

// bf16 and fp32 take the same time, and of equals the first is picked: bf16, whose losses are as
// asked.
schema::RunFile trained_run(double bf16_loss, Heard& heard, const TunePlan& plan) {
  constexpr const char* kTrain = "synthetic:affine:20ms,2ms;process_sd=0;visit_sd=0;iteration_sd=0";
  measure::Job job = job_of(16, plan);
  job.models[kTrain].name = kTrain;
  for (schema::RunConfig& config : job.configs) {
    config.model = kTrain;
    config.mode = schema::Mode::train;
    config.optimizer = "sgd";
    config.precision = schema::Precision::bf16;
  }
  for (schema::RunConfig config : std::vector(job.configs)) {
    config.precision = schema::Precision::fp32;
    job.configs.push_back(config);
  }
  job.header.configurations = std::ssize(job.configs);
  schema::RunFile run = tuned_run(job, plan, heard);
  for (schema::Visit& visit : run.visits) {
    const auto& config = run.configs[static_cast<std::size_t>(visit.config)];
    visit.losses = {1, config.precision == schema::Precision::bf16 ? bf16_loss : 0.5};
  }
  return run;
}

TEST(Tune, APrecisionThatDoesNotTrainLikeFp32IsNotPicked) {
  const TunePlan plan;
  Heard heard;
  schema::RunFile run = trained_run(0.5, heard, plan);
  const Tuned alike = tuned_of(run, plan);
  const schema::RunConfig& pick = alike.outcome.grid[*alike.outcome.pick];
  ASSERT_EQ(pick.precision, schema::Precision::bf16);
  // So that its losses can be held against something, fp32 was visited at its size.
  schema::RunConfig exact = pick;
  exact.precision = schema::Precision::fp32;
  EXPECT_TRUE(std::any_of(run.visits.begin(), run.visits.end(), [&](const auto& visit) {
    return run.configs[static_cast<std::size_t>(visit.config)] == exact;
  }));
  for (schema::Visit& visit : run.visits) {
    const auto& config = run.configs[static_cast<std::size_t>(visit.config)];
    if (config.precision == schema::Precision::bf16) visit.losses = {1, 0.6};
  }
  const Tuned departed = tuned_of(run, plan);
  EXPECT_EQ(departed.outcome.grid[*departed.outcome.pick].precision, schema::Precision::fp32);
  EXPECT_THAT(departed.warnings.at(0), HasSubstr("does not train like fp32"));
}

TEST(Tune, SaysWhichLearningRateAStepOfOtherSamplesWants) {
  const TunePlan plan;
  Heard heard;
  const Tuned tuned = tuned_of(trained_run(0.5, heard, plan), plan);
  ASSERT_EQ(tuned.advice.size(), 2U);
  EXPECT_THAT(tuned.advice[0], HasSubstr("linear rule"));
  EXPECT_THAT(tuned.advice[0], HasSubstr("Goyal et al. 2017"));
  EXPECT_THAT(tuned.advice[1], HasSubstr("--effective-batch fixes"));
}

TEST(Tune, TheCurrentSizeTrainsOnAllBatchesOfAStep) {
  const TunePlan plan;
  Heard heard;
  schema::RunFile run = trained_run(0.5, heard, plan);
  for (schema::RunConfig& config : run.configs) config.accumulation = 4;
  run.header.plan.current_batch_size = 4;
  EXPECT_THAT(tuned_of(run, plan).advice.at(0),
              HasSubstr("From 16 to 64 samples per step (k = 4.00)"));
}

TEST(Tune, ASizeThatItsSplitBeatsIsNotGood) {
  constexpr const char* kLaw8 =
      "synthetic:affine:10ms,5ms;anomaly=8:1.6;process_sd=0;visit_sd=0;iteration_sd=0";
  TunePlan plan;
  plan.goal.verify_blocks = 0;  // few visits, which prove nothing
  measure::Job job = job_of(16, plan);
  job.models[kLaw8].name = kLaw8;
  std::erase_if(job.configs, [](const schema::RunConfig& config) {
    return !std::has_single_bit(static_cast<uint64_t>(config.shape.batch_size));
  });
  for (schema::RunConfig& config : job.configs) config.model = kLaw8;
  job.header.configurations = std::ssize(job.configs);
  Heard heard;
  const Tuned tuned = tuned_of(tuned_run(job, plan, heard), plan);
  // 80 ms against 2 x 30 ms.
  EXPECT_THAT(tuned.good_sizes, testing::ElementsAre(1, 2, 4, 16));
}

TEST(Tuning, HoldsWhatIsDrawnAndPrinted) {
  TunePlan plan;
  plan.goal.latency_budget_s = 0.08;
  Heard heard;
  const Tuned tuned = tuned_of(tuned_run(job_of(32, plan), plan, heard), plan);
  const findings::Tuning reported = tuning_of(tuned);
  ASSERT_TRUE(reported.pick && reported.standard);
  EXPECT_EQ(reported.points[*reported.pick].config, tuned.outcome.grid[*tuned.outcome.pick]);
  EXPECT_EQ(reported.points[*reported.standard].config.shape.batch_size, 1);
  EXPECT_EQ(reported.latency_front.size(), tuned.outcome.latency_front.size());
  EXPECT_DOUBLE_EQ(*reported.latency_budget_ms, 80);
  ASSERT_TRUE(reported.latency);
  EXPECT_EQ(reported.latency->value_ms, tuned.latency->value_ms);
  const auto recommended = recommendation_of(reported);
  ASSERT_TRUE(recommended);
  EXPECT_EQ(recommended->objective, "throughput with latency (p50) <= 80 ms");
  EXPECT_TRUE(recommended->verified);
  EXPECT_EQ(recommended->fresh_visits, plan.goal.fresh_blocks());
  EXPECT_EQ(recommended->gain->value, reported.contrasts.at(0).gain.value);
}

TEST(Tune, AnInterruptedRunGoesOnToTheSamePick) {
  const TunePlan plan;
  const measure::Job job = job_of(48, plan);
  Heard full;
  const schema::RunFile at_once = tuned_run(job, plan, full);
  Heard first;
  first.stop_after = 4;
  const schema::RunFile begun = tuned_run(job, plan, first);
  EXPECT_EQ(begun.end->reason, schema::EndReason::interrupted);
  EXPECT_LT(begun.visits.size(), at_once.visits.size());
  Heard second;
  const schema::RunFile rest = tuned_run(job, plan, second, &begun);
  EXPECT_EQ(rest.end->reason, schema::EndReason::blocks_done);
  const Tuned a = tuned_of(at_once, plan), b = tuned_of(rest, plan);
  EXPECT_EQ(a.outcome.points_measured, b.outcome.points_measured);
  EXPECT_GE(b.outcome.grid[*b.outcome.pick].shape.batch_size, 41);
}

TEST(Tune, EndsWithinItsBudget) {
  const TunePlan plan;
  measure::Job job = job_of(48, plan);
  job.header.plan.budget_s = 20;
  Heard heard;
  const schema::RunFile run = tuned_run(job, plan, heard);
  double spent_s = 0;
  for (const schema::Visit& visit : run.visits)
    spent_s += static_cast<double>(visit.wall_ns) * 1e-9;
  EXPECT_LE(spent_s, 20);
  EXPECT_TRUE(tuned_of(run, plan).outcome.pick);
  EXPECT_FALSE(heard.verified.empty());
}

TEST(Tune, WhatItsBudgetEndedIsNotVerifiedAndGoesOnWithItOnceMore) {
  const TunePlan plan;
  measure::Job job = job_of(48, plan);
  job.header.plan.budget_s = 40;
  Heard heard;
  schema::RunFile run = tuned_run(job, plan, heard);
  int calls = 1;
  for (; run.end->reason == schema::EndReason::budget; ++calls) {
    ASSERT_LT(calls, 30);
    const Tuned early = tuned_of(run, plan);
    EXPECT_FALSE(early.verified);
    EXPECT_THAT(early.cut_short, HasSubstr(std::to_string(early.outcome.points_measured) +
                                           " of 48 settings measured"));
    const std::size_t before = run.visits.size();
    run = tuned_run(job, plan, heard, &run);
    EXPECT_GT(run.visits.size(), before) << calls;
    EXPECT_LE(run.end->wall_s, 40.0 * (calls + 1));
  }
  EXPECT_GT(calls, 2);
  EXPECT_EQ(run.end->reason, schema::EndReason::blocks_done);
  const Tuned last = tuned_of(run, plan);
  EXPECT_TRUE(last.verified);
  EXPECT_EQ(last.cut_short, "");
  EXPECT_EQ(tuning_of(last).end_reason, schema::EndReason::blocks_done);
}

TEST(Tune, WhatWasStoppedInItsComparisonStillKnowsWhatEndedItsSearch) {
  const TunePlan plan;
  for (const double budget_s : {40.0, 3600.0}) {
    measure::Job job = job_of(48, plan);
    job.header.plan.budget_s = budget_s;
    Heard full, rest;
    schema::RunFile run = tuned_run(job, plan, full);
    const schema::EndReason reason = run.end->reason.value();
    ASSERT_EQ(reason == schema::EndReason::budget, budget_s < 100);
    std::erase_if(run.visits, [](const schema::Visit& visit) {
      return visit.purpose == schema::Purpose::verify && visit.block % 2 == 1;
    });
    run.end.reset();
    run.budgets_spent = 0;
    EXPECT_EQ(tuned_run(job, plan, rest, &run).end->reason, reason) << budget_s;
    EXPECT_TRUE(rest.points.empty()) << budget_s;
  }
}

TEST(Tune, DoesNotBeginWhatWouldNotFitIntoTheBudget) {
  // 0.5 s a sample and iteration: a visit of batch 32 takes two minutes, one of batch 4 a quarter
  // of one.
  constexpr const char* kSlow = "synthetic:affine:100ms,500ms;process_sd=0.01;visit_sd=0.02";
  const TunePlan plan;
  measure::Job job = job_of(32, plan);
  job.models[kSlow].name = kSlow;
  for (schema::RunConfig& config : job.configs) config.model = kSlow;
  job.header.plan.budget_s = 120;
  Heard heard;
  const schema::RunFile run = tuned_run(job, plan, heard);
  double spent_s = 0;
  for (const schema::Visit& visit : run.visits)
    spent_s += static_cast<double>(visit.wall_ns) * 1e-9;
  EXPECT_LE(spent_s, 120);
  EXPECT_TRUE(tuned_of(run, plan).outcome.pick);
}

TEST(Tune, TheDefaultIsTheFirstSettingAtTheCurrentSize) {
  const measure::Job job = job_of(8, {});
  EXPECT_EQ(default_point(job.configs, std::nullopt), 0U);
  EXPECT_EQ(default_point(job.configs, 4), 3U);
}

TEST(LatencyEvidence, SupportsForTheQuantileThatHasTheSamples) {
  TunePlan plan;
  plan.goal.verify_blocks = 0;
  plan.goal.latency_budget_s = 0.05;
  plan.goal.latency_of = LatencyStatistic::p99;
  Heard heard;
  const Tuned tuned = tuned_of(tuned_run(job_of(32, plan), plan, heard), plan);
  ASSERT_TRUE(tuned.latency);
  EXPECT_EQ(tuned.latency->asked, LatencyStatistic::p99);
  // Of the few visits that there are, each in a process of its own, no more than the middle is
  // sure.
  EXPECT_EQ(tuned.latency->supported, LatencyStatistic::p50);
  EXPECT_FALSE(tuned.latency->kept);
  EXPECT_EQ(tuned.latency->samples_needed, 368);
  EXPECT_LT(tuned.latency->samples, 368);
  ASSERT_TRUE(tuned.latency->interval_ms);
  EXPECT_LE(tuned.latency->interval_ms->low, tuned.latency->value_ms);
}

TEST(LatencyEvidence, VisitsThatMayHoldWarmUpSupportForNothing) {
  TunePlan plan;
  plan.goal.latency_budget_s = 0.05;
  measure::Job job = job_of(8, plan);
  job.header.plan.iterations = 20;
  Heard heard;
  schema::RunFile run = tuned_run(job, plan, heard);
  ASSERT_TRUE(tuning_of(tuned_of(run, plan)).latency->settled);
  for (schema::Visit& visit : run.visits) {
    if (visit.purpose != schema::Purpose::verify) continue;
    int64_t percent = 400;  // declining to the end
    for (int64_t& ns : visit.warmup_ns) ns = ns * (percent -= 10) / 100;
    for (int64_t& ns : visit.samples_ns) ns = ns * (percent -= 10) / 100;
  }
  const findings::LatencyCheck check = *tuning_of(tuned_of(run, plan)).latency;
  EXPECT_FALSE(check.settled);
  EXPECT_FALSE(check.kept);
  EXPECT_FALSE(check.interval_ms);
}

TEST(LatencyEvidence, GetsTheVisitsThatTheQuantileNeedsWhereTheBudgetHasThem) {
  constexpr const char* kSteady =
      "synthetic:affine:20ms,2ms;process_sd=0;visit_sd=0;warmup=0;iteration_sd=0.05";
  TunePlan plan;
  plan.goal.latency_budget_s = 0.06;
  plan.goal.latency_of = LatencyStatistic::p99;
  measure::Job job = job_of(32, plan);
  job.models[kSteady].name = kSteady;
  for (schema::RunConfig& config : job.configs) config.model = kSteady;
  Heard heard;
  const Tuned tuned = tuned_of(tuned_run(job, plan, heard), plan);
  ASSERT_TRUE(tuned.latency);
  EXPECT_EQ(tuned.latency->supported, LatencyStatistic::p99);
  EXPECT_GE(tuned.latency->samples, 368);
  job.header.plan.budget_s = 60;  // has time for some of them only
  const Tuned poor = tuned_of(tuned_run(job, plan, heard), plan);
  EXPECT_NE(poor.latency->supported, LatencyStatistic::p99);
  EXPECT_FALSE(poor.verified);
}

TEST(GoalInHeader, ComesBack) {
  TunePlan plan;
  plan.goal.objective = Objective::cost;
  plan.goal.price_per_hour = 0.34;
  plan.goal.latency_budget_s = 0.2;
  plan.goal.latency_of = LatencyStatistic::p90;
  plan.goal.memory_limit_bytes = 1 << 30;
  plan.goal.points = 12;
  plan.goal.practical = 0.025;
  plan.goal.verify_blocks = 0;
  schema::Header header;
  write_goal(plan, header);
  const auto back = read_goal(header);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->goal.objective, Objective::cost);
  EXPECT_EQ(back->goal.price_per_hour, 0.34);
  EXPECT_EQ(back->goal.latency_budget_s, 0.2);
  EXPECT_EQ(back->goal.latency_of, LatencyStatistic::p90);
  EXPECT_EQ(back->goal.memory_limit_bytes, 1 << 30);
  EXPECT_EQ(back->goal.points, 12);
  EXPECT_EQ(back->goal.practical, 0.025);
  EXPECT_EQ(back->goal.verify_blocks, 0);
  EXPECT_FALSE(read_goal({}));
}

}  // namespace
}  // namespace batchscope::tune
