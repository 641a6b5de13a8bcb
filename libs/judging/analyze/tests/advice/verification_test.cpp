#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <span>

#include "batchscope/analyze/analyze.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::analyze {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using testing::HasSubstr;

// Batch 8 is recommended by 12 blocks; the `fresh` blocks after them see another law.
findings::Recommendation verified(const std::function<double(const schema::RunConfig&)>& fresh_law,
                                  int fresh) {
  const auto configs = batch_sizes({1, 2, 4, 8});
  schema::RunFile run = make_run({configs, affine(), 12, 3, {0.01, 0, 0, 0, 1}, 3});
  schema::RunFile later = make_run({configs, fresh_law, fresh, 3, {0.01, 0, 0, 0, 1}, 4});
  for (schema::Visit& visit : later.visits) {
    if (visit.config != 0 && visit.config != 3) continue;
    visit.block += 12;
    visit.purpose = schema::Purpose::verify;
    run.visits.push_back(visit);
  }
  return analyze(std::span(&run, 1)).recommendations.at(0);
}

double linear(const schema::RunConfig& config) {
  return 7e6 * static_cast<double>(config.shape.batch_size);
}

TEST(Verification, FreshVisitsThatAgreeGiveTheGain) {
  const auto pick = verified(affine({{8, 1.1}}), 8);
  EXPECT_TRUE(pick.verified);
  EXPECT_FALSE(pick.withdrawn);
  EXPECT_EQ(pick.fresh_visits, 8);
  // 8 / (21 ms * 1.1) against 1 / 7 ms: what they show, not what the choice showed.
  EXPECT_NEAR(pick.gain->value, 8 / 23.1 * 7 - 1, 0.05);
  EXPECT_THAT(pick.message,
              HasSubstr("Verified in 8 separate visits: 144 % more throughput than batch 1"));
  EXPECT_THAT(pick.message, HasSubstr("less than expected"));
}

TEST(Verification, ThoseThatDisagreeWithdrawIt) {
  const auto pick = verified(linear, 8);
  EXPECT_FALSE(pick.verified);
  EXPECT_TRUE(pick.withdrawn);
  EXPECT_THAT(pick.message, HasSubstr("Keep batch 1"));
}

// All visits have as many iterations; the fresh ones do not settle.
findings::Recommendation with_warming_fresh_visits(std::optional<double> budget_s) {
  const auto configs = batch_sizes({1, 2, 4, 8});
  schema::RunFile run = make_run({configs, affine(), 12, 20, {0.005, 0, 0.002, 0, 1}, 3});
  schema::RunFile later = make_run({configs, affine(), 12, 20, {0.005, 0, 0.002, 0, 1}, 4});
  for (schema::Visit& visit : later.visits) {
    visit.block += 12;
    visit.purpose = schema::Purpose::verify;
    for (int64_t& ns : std::span(visit.samples_ns).first(17)) ns = ns * 14 / 10;
    run.visits.push_back(visit);
  }
  run.header.plan.latency_budget_s = budget_s;
  return analyze(std::span(&run, 1)).recommendations.at(0);
}

TEST(Verification, FreshVisitsThatMayHoldWarmUpNeitherVerifyNorWithdraw) {
  for (const std::optional<double> budget_s : {std::optional<double>(), {0.022}}) {
    const auto pick = with_warming_fresh_visits(budget_s);
    EXPECT_EQ(pick.config.shape.batch_size, 8);
    EXPECT_FALSE(pick.verified);
    EXPECT_FALSE(pick.withdrawn);
    EXPECT_THAT(pick.message, HasSubstr("may still include warm-up"));
  }
}

using Law = std::function<double(const schema::RunConfig&)>;

// Only batch 1, which the gain is against, is still warming in its separate visits.
findings::Recommendation with_warming_baseline(const Law& law, double visit_sd, double budget_s) {
  const auto configs = batch_sizes({1, 2, 4, 8});
  schema::RunFile run = make_run({configs, law, 12, 20, {visit_sd, 0, 0.002, 0, 1}, 3});
  schema::RunFile later = make_run({configs, law, 12, 20, {0.005, 0, 0.002, 0, 1}, 4});
  for (schema::Visit& visit : later.visits) {
    visit.block += 12;
    visit.purpose = schema::Purpose::verify;
    if (visit.config == 0) {
      for (int64_t& ns : std::span(visit.samples_ns).first(17)) ns = ns * 14 / 10;
    }
    run.visits.push_back(visit);
  }
  run.header.plan.latency_budget_s = budget_s;
  return analyze(std::span(&run, 1)).recommendations.at(0);
}

TEST(Verification, AWarmingBaselineShowsNoGainOfWhatIsUndecided) {
  const auto near = [](const schema::RunConfig& config) {
    return linear(config) * (config.shape.batch_size == 8 ? 0.94 : 1.0);
  };
  const auto open = with_warming_baseline(near, 0.1, 0.1);
  EXPECT_TRUE(open.undecided) << open.message;
  EXPECT_EQ(open.fresh_visits, 0) << "the gain is the choice's";
  EXPECT_THAT(open.message, HasSubstr("may still include warm-up"));
  EXPECT_THAT(open.message, testing::Not(HasSubstr("separate visits do not settle it")));
}

TEST(Verification, AWarmingBaselineLeavesTheLatencyToBeJudged) {
  const auto kept = with_warming_baseline(affine(), 0.005, 0.022);
  EXPECT_EQ(kept.config.shape.batch_size, 8);
  EXPECT_FALSE(kept.verified);
  EXPECT_THAT(kept.message, HasSubstr("The separate visits of batch 1 may still include warm-up"));
  EXPECT_THAT(kept.message, HasSubstr("In 12 separate visits a batch took 21."));
  EXPECT_THAT(kept.message, HasSubstr("within the budget"));
}

// Of eight separate visits of the pick three are too short for the warm-up: five are left.
TEST(Verification, VisitsLeftOutForTheirWarmUpAreNotPassedOver) {
  const auto configs = batch_sizes({1, 2, 4, 8});
  schema::RunFile run = make_run({configs, affine(), 20, 20, {0.005, 0, 0.002, 0, 1}, 3});
  for (schema::Visit& visit : run.visits) {
    for (int64_t& ns : std::span(visit.samples_ns).first(6)) ns = ns * 14 / 10;
    if (visit.block < 12) continue;
    visit.purpose = schema::Purpose::verify;
    if (visit.config == 3 && visit.block < 15) visit.samples_ns.resize(8);
  }
  const auto pick = analyze(std::span(&run, 1)).recommendations.at(0);
  EXPECT_EQ(pick.config.shape.batch_size, 8);
  EXPECT_FALSE(pick.verified);
  EXPECT_THAT(pick.message, HasSubstr("Its separate visits may still include warm-up"));
}

// Of batches 1 to 8 within the budget; all visits after block 12 take `slower` times as long.
findings::Recommendation within(double budget_s, double slower, double visit_sd) {
  const auto configs = batch_sizes({1, 2, 4, 8});
  const auto law = affine();
  schema::RunFile run = make_run({configs, law, 12, 3, {0.001, 0, 0, 0, 1}, 3});
  const auto slow = [&](const schema::RunConfig& config) { return slower * law(config); };
  schema::RunFile later = make_run({configs, slow, 8, 3, {visit_sd, 0, 0, 0, 1}, 4});
  for (schema::Visit& visit : later.visits) {
    visit.block += 12;
    visit.purpose = schema::Purpose::verify;
    run.visits.push_back(visit);
  }
  run.header.plan.latency_budget_s = budget_s;
  return analyze(std::span(&run, 1)).recommendations.at(0);
}

TEST(Verification, FreshVisitsBeyondTheBudgetWithdrawIt) {
  const auto pick = within(0.022, 1.1, 0.001);
  EXPECT_EQ(pick.config.shape.batch_size, 8);
  EXPECT_TRUE(pick.withdrawn);
  EXPECT_FALSE(pick.verified);
  EXPECT_THAT(pick.message, HasSubstr("within the budget of 22.0 ms (21.0 ms)"));
  EXPECT_THAT(pick.message, HasSubstr("a batch took 23.1 ms"));
}

TEST(Verification, FreshVisitsThatMayBeBeyondTheBudgetVerifyNothing) {
  const auto pick = within(0.022, 1.02, 0.05);
  EXPECT_EQ(pick.config.shape.batch_size, 8);
  EXPECT_FALSE(pick.withdrawn);
  EXPECT_FALSE(pick.verified) << "the gain is there, but not the bound";
  EXPECT_THAT(pick.message, HasSubstr("which may be above the budget: not verified"));
}

TEST(Verification, TheSmallestSizeIsVerifiedAgainstTheBudget) {
  auto pick = within(0.0075, 1.0, 0.001);
  EXPECT_EQ(pick.config.shape.batch_size, 1);
  EXPECT_FALSE(pick.gain);
  EXPECT_TRUE(pick.verified);
  EXPECT_EQ(pick.fresh_visits, 8);
  pick = within(0.0075, 1.2, 0.001);
  EXPECT_TRUE(pick.withdrawn);
  EXPECT_FALSE(pick.verified);
}

TEST(Verification, ABaselineBeyondTheBudgetIsNoAlternative) {
  const auto configs = batch_sizes({1, 2, 4, 8});
  schema::RunFile run = make_run({configs, affine(), 20, 3, {0.001, 0, 0, 0, 1}, 3});
  for (schema::Visit& visit : run.visits) {
    if (visit.block >= 12) visit.purpose = schema::Purpose::verify;
  }
  run.header.plan.latency_budget_s = 0.008;
  run.header.plan.current_batch_size = 8;  // faster a sample, but 21 ms a batch
  const auto pick = analyze(std::span(&run, 1)).recommendations.at(0);
  EXPECT_EQ(pick.config.shape.batch_size, 1);
  EXPECT_LT(pick.gain->value, 0);
  EXPECT_FALSE(pick.withdrawn);
  EXPECT_TRUE(pick.verified);
  EXPECT_THAT(pick.message, HasSubstr("within the budget"));
}

TEST(Verification, WhatFreshVisitsLeaveOpenIsNeither) {
  const auto near = [](const schema::RunConfig& config) {
    return 7e6 * static_cast<double>(config.shape.batch_size) *
           (config.shape.batch_size == 8 ? 0.97 : 1.0);
  };
  const auto configs = batch_sizes({1, 2, 4, 8});
  schema::RunFile run = make_run({configs, near, 12, 3, {0.002, 0, 0, 0, 1}, 3});
  schema::RunFile later = make_run({configs, near, 8, 3, {0.08, 0, 0, 0, 1}, 4});
  for (schema::Visit& visit : later.visits) {
    visit.block += 12;
    visit.purpose = schema::Purpose::verify;
    run.visits.push_back(visit);
  }
  const auto pick = analyze(std::span(&run, 1)).recommendations.at(0);
  EXPECT_EQ(pick.config.shape.batch_size, 8);
  EXPECT_FALSE(pick.verified);
  EXPECT_FALSE(pick.withdrawn);
  EXPECT_THAT(pick.message, HasSubstr("neither confirmed nor refuted"));
}

TEST(Verification, TooFewSettleNothing) {
  const auto pick = verified(linear, 5);
  EXPECT_FALSE(pick.verified);
  EXPECT_FALSE(pick.withdrawn);
  EXPECT_GT(pick.gain->value, 1.0);
}

TEST(Verification, TheyTakeNoPartInChoosing) {
  const auto pick = verified(affine({{8, 5.0}}), 12);
  EXPECT_EQ(pick.config.shape.batch_size, 8);
  EXPECT_TRUE(pick.withdrawn);
}

// Two separate visits of twelve of the pick take twice as long: trimmed, they vanish.
TEST(Verification, ASlowMinorityIsNotTrimmedAway) {
  const auto configs = batch_sizes({1, 2, 4, 8});
  const auto near = [](const schema::RunConfig& config) {
    return 7e6 * static_cast<double>(config.shape.batch_size) *
           (config.shape.batch_size == 8 ? 0.85 : 1.0);
  };
  schema::RunFile run = make_run({configs, near, 24, 3, {0.005, 0, 0, 0, 1}, 3});
  for (schema::Visit& visit : run.visits) {
    if (visit.block < 12) continue;
    visit.purpose = schema::Purpose::verify;
    const bool slow = visit.config == 3 && (visit.block == 14 || visit.block == 20);
    for (int64_t& ns : visit.samples_ns) ns *= slow ? 2 : 1;
  }
  const auto pick = analyze(std::span(&run, 1)).recommendations.at(0);
  EXPECT_FALSE(pick.verified);
  EXPECT_THAT(pick.message, testing::Not(HasSubstr("Verified in")));
}

}  // namespace
}  // namespace batchscope::analyze
