#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tuned_runs.hpp"

namespace batchscope::tune {
namespace {

using testing::HasSubstr;

bool is_fresh(const schema::Visit& visit) {
  return visit.purpose == schema::Purpose::verify;
}

TEST(Verdict, FreshVisitsTakeNoPartInChoosing) {
  const TunePlan plan;
  Heard heard;
  schema::RunFile run = tuned_run(job_of(32, plan), plan, heard);
  const auto pick = tuned_of(run, plan).outcome.pick;
  for (schema::Visit& visit : run.visits) {
    if (visit.purpose != schema::Purpose::verify || visit.config != static_cast<int>(*pick))
      continue;
    for (int64_t& ns : visit.samples_ns) ns *= 100;
  }
  const Tuned slow = tuned_of(run, plan);
  EXPECT_EQ(slow.outcome.pick, pick);
  EXPECT_TRUE(slow.withdrawn);
  EXPECT_FALSE(slow.verified);
  EXPECT_THAT(slow.verdict, HasSubstr("withdrawn"));
}

// Makes the pick's fresh visits so many times slower, a sample, than the runner-up's of the block.
void slow_down_pick(schema::RunFile& run, const SearchOutcome& outcome, double times) {
  const auto pick = static_cast<int>(*outcome.pick), other = static_cast<int>(*outcome.runner_up);
  const auto samples = [&](int point) {
    return static_cast<double>(
        schema::samples_at_once(outcome.grid[static_cast<std::size_t>(point)]));
  };
  std::map<int, double> ns_a_sample;
  for (const schema::Visit& visit : run.visits) {
    if (!is_fresh(visit) || visit.config != other) continue;
    ns_a_sample[visit.block] = static_cast<double>(visit.samples_ns.at(0)) / samples(other);
  }
  for (schema::Visit& visit : run.visits) {
    if (!is_fresh(visit)) continue;
    double ns = ns_a_sample.at(visit.block) * samples(visit.config);
    if (visit.config == pick) ns *= times;
    if (visit.config == pick || visit.config == other) {
      visit.samples_ns.assign(5, std::llround(ns));
    }
  }
}

TEST(Verdict, WhatATieGivesAwayWithdrawsNothing) {
  const TunePlan plan;
  Heard heard;
  schema::RunFile run = tuned_run(job_of(48, plan), plan, heard);
  const SearchOutcome outcome = tuned_of(run, plan).outcome;
  slow_down_pick(run, outcome, 1.004);
  const Tuned tied = tuned_of(run, plan);
  EXPECT_LT(tied.contrasts.at(1).gain.ci->high, 0);
  EXPECT_FALSE(tied.withdrawn);
  EXPECT_TRUE(tied.verified);
  slow_down_pick(run, outcome, 1.01);
  EXPECT_TRUE(tuned_of(run, plan).withdrawn);
}

// Trimmed means hardly see three of twelve visits that take very long.
TEST(Verdict, ASlowMinorityOfVisitsVerifiesNothing) {
  const TunePlan plan;
  Heard heard;
  schema::RunFile run = tuned_run(job_of(32, plan), plan, heard);
  ASSERT_TRUE(tuned_of(run, plan).verified);
  const auto pick = static_cast<int>(*tuned_of(run, plan).outcome.pick);
  int slow = 0;
  for (schema::Visit& visit : run.visits) {
    if (!is_fresh(visit) || visit.config != pick || ++slow > 3) continue;
    for (int64_t& ns : visit.samples_ns) ns *= 400;
  }
  const Tuned tuned = tuned_of(run, plan);
  EXPECT_FALSE(tuned.verified);
  EXPECT_GT(tuned.contrasts.at(0).trimmed.value, tuned.contrasts.at(0).gain.value);
}

// Every fourth iteration of large batches takes ten times as long: typical ones are still the best.
TEST(Verdict, TheMeanRateIsMaximisedNotTheTypicalOne) {
  const TunePlan plan;
  Heard heard;
  schema::RunFile run = tuned_run(job_of(32, plan), plan, heard);
  for (schema::Visit& visit : run.visits) {
    if (run.configs[static_cast<std::size_t>(visit.config)].shape.batch_size <= 8) continue;
    for (std::size_t i = 0; i < visit.samples_ns.size(); i += 4) visit.samples_ns[i] *= 10;
  }
  const Tuned tuned = tuned_of(run, plan);
  EXPECT_LE(tuned.outcome.grid[*tuned.outcome.pick].shape.batch_size, 8);
  const PointEstimate& pick = *estimate_of(tuned.outcome, *tuned.outcome.pick);
  EXPECT_NEAR(pick.mean_s, pick.typical_s, 0.03 * pick.typical_s);
  for (const PointEstimate& each : tuned.outcome.estimates) {
    const bool slow = tuned.outcome.grid[each.point].shape.batch_size > 8;
    EXPECT_EQ(each.mean_s > 1.5 * each.typical_s, slow);
  }
}

TEST(Verdict, ADefaultThatKeepsNoBoundsIsNoAlternative) {
  TunePlan plan;
  plan.goal.latency_budget_s = 0.062;  // batch 20 takes 60 ms
  measure::Job job = job_of(48, plan);
  job.header.plan.current_batch_size = 48;  // 116 ms, and more throughput than any size within
  Heard heard;
  const Tuned tuned = tuned_of(tuned_run(job, plan, heard), plan);
  ASSERT_LE(tuned.outcome.grid[*tuned.outcome.pick].shape.batch_size, 20);
  ASSERT_EQ(tuned.contrasts.at(0).what, kTheDefault);
  EXPECT_LT(tuned.contrasts.at(0).gain.ci->high, -0.05);
  EXPECT_FALSE(tuned.withdrawn);
  EXPECT_TRUE(tuned.verified) << tuned.verdict;
  EXPECT_THAT(tuned.verdict, HasSubstr("The default does not meet the bounds."));
}

TEST(Verdict, ADefaultThatNothingWasComparedWithIsNotVerified) {
  TunePlan plan;
  plan.goal.verify_blocks = 0;
  measure::Job job = job_of(1, plan);
  Heard heard;
  const Tuned tuned = tuned_of(tuned_run(job, plan, heard), plan);
  EXPECT_FALSE(tuned.verified);
  EXPECT_THAT(tuned.verdict, HasSubstr("Not verified"));
}

TEST(Verdict, NothingIsVerifiedOfWhatKeepsNoBounds) {
  TunePlan plan;
  plan.goal.latency_budget_s = 0.01;
  Heard heard;
  const Tuned tuned = tuned_of(tuned_run(job_of(16, plan), plan, heard), plan);
  EXPECT_FALSE(tuned.outcome.feasible);
  EXPECT_FALSE(tuned.verified);
  EXPECT_TRUE(tuned.verdict.empty());
}

// Batches of 0.2 s and more, which settle over six iterations: larger ones gain 5 %.
TEST(Verdict, LongBatchesWarmUpAsLongAsTheyNeed) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const TunePlan plan;
    measure::Job job = job_of(100, plan);
    job.header.seed = seed;
    job.header.plan.iterations.reset();
    job.header.plan.min_iterations = 3;
    std::erase_if(job.configs, [](const schema::RunConfig& config) {
      return config.shape.batch_size != 64 && config.shape.batch_size != 100;
    });
    job.header.configurations = 2;
    Heard heard;
    const Tuned tuned = tuned_of(tuned_run(job, plan, heard), plan);
    EXPECT_EQ(tuned.outcome.grid[*tuned.outcome.pick].shape.batch_size, 100) << seed;
    EXPECT_LT(tuned.contrasts.at(0).gain.ci->low, 0.051) << seed;
    EXPECT_GT(tuned.contrasts.at(0).gain.ci->high, 0.051) << seed;
  }
}

// An interrupted comparison: the first visits of its first block, in the order they were made in.
schema::RunFile cut_after(schema::RunFile run, std::ptrdiff_t fresh) {
  std::ptrdiff_t seen = 0;
  std::erase_if(run.visits,
                [&](const schema::Visit& visit) { return is_fresh(visit) && ++seen > fresh; });
  run.end.reset();
  return run;
}

TEST(Verdict, AComparisonThatWasInterruptedAnywhereIsMadeFull) {
  const TunePlan plan;
  const measure::Job job = job_of(48, plan);
  Heard heard;
  const schema::RunFile full = tuned_run(job, plan, heard);
  for (const std::ptrdiff_t fresh : {1, 2, 4, 17, 35}) {
    const schema::RunFile cut = cut_after(full, fresh);
    const Tuned tuned = tuned_of(tuned_run(job, plan, heard, &cut), plan);
    EXPECT_TRUE(tuned.verified) << fresh;
    ASSERT_EQ(tuned.contrasts.size(), 2U) << fresh;
    EXPECT_GE(tuned.contrasts[0].n, plan.goal.fresh_blocks()) << fresh;
    EXPECT_GE(tuned.contrasts[1].n, plan.goal.fresh_blocks()) << fresh;
  }
}

}  // namespace
}  // namespace batchscope::tune
