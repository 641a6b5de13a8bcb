#include "gates/regression_gate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compared_runs.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::compare {
namespace {

using findings::Outcome;
using tables::affine;
using tables::batch_sizes;
using tables::FakeNoise;
using tables::make_run;
using testing::HasSubstr;

FakeNoise noise_of(double visit_sd) {
  return {visit_sd, 0, 0.05, 0, 1};
}

std::vector<schema::RunConfig> two_models() {
  auto configs = batch_sizes({1, 4});
  for (auto config : batch_sizes({1, 4})) {
    config.model = "b";
    configs.push_back(config);
  }
  return configs;
}

// Model b at batch 4 takes `factor` times as long as m, and as long elsewhere.
std::function<double(const schema::RunConfig&)> slower_at_4(double factor) {
  return [factor](const schema::RunConfig& config) {
    const bool slow = config.model == "b" && config.shape.batch_size == 4;
    return affine()(config) * (slow ? factor : 1.0);
  };
}

findings::Gate gate_of(const schema::RunFile& run, double margin = 0.03) {
  return compared_run(run, with_margin(margin)).gate.value();
}

schema::RunFile run_with(double factor, double visit_sd, int blocks = 12, uint64_t seed = 9) {
  return make_run({two_models(), slower_at_4(factor), blocks, 3, noise_of(visit_sd), seed});
}

void multiply(schema::RunFile& run, int config, int first_blocks, double factor) {
  for (schema::Visit& visit : run.visits) {
    if (visit.config != config || visit.block >= first_blocks) continue;
    for (int64_t& sample : visit.samples_ns) {
      sample = std::llround(static_cast<double>(sample) * factor);
    }
  }
}

schema::Event failure(schema::EventKind kind, int config, int block) {
  schema::Event event;
  event.kind = kind;
  event.what = "it ended";
  event.where.config = config;
  event.where.block = block;
  return event;
}

// The visits of a configuration from a block on are gone.
void cut(schema::RunFile& run, int config, int from_block) {
  std::erase_if(run.visits, [&](const schema::Visit& visit) {
    return visit.config == config && visit.block >= from_block;
  });
}

TEST(RegressionGate, ASlowDownBeyondTheMarginFails) {
  const findings::Gate gate = gate_of(run_with(1.10, 0.01));
  EXPECT_EQ(gate.outcome, Outcome::failed);
  ASSERT_EQ(gate.checks.size(), 2u);
  EXPECT_EQ(gate.checks[0].outcome, Outcome::passed);
  EXPECT_EQ(gate.checks[1].outcome, Outcome::failed);
  EXPECT_EQ(gate.checks[1].n, 12);
  EXPECT_GT(gate.checks[1].slowdown->ci->low, 0.03);
  EXPECT_NEAR(gate.checks[1].slowdown->value, 0.10, 0.02);
  EXPECT_THAT(gate.message, HasSubstr("b takes at least"));
  EXPECT_TRUE(gate.advice.empty());
}

TEST(RegressionGate, EqualModelsMeasuredWellPass) {
  const findings::Gate gate = gate_of(run_with(1.0, 0.01));
  EXPECT_EQ(gate.outcome, Outcome::passed);
  for (const findings::GateCheck& check : gate.checks) EXPECT_LT(check.slowdown->ci->high, 0.03);
  EXPECT_THAT(gate.message, HasSubstr("No regression: all 2 configurations take"));
}

TEST(RegressionGate, NoiseLeavesItOpenAndSaysWhatWouldTell) {
  const findings::Gate gate = gate_of(run_with(1.0, 0.06));
  EXPECT_EQ(gate.outcome, Outcome::inconclusive);
  const auto& open =
      gate.checks[0].outcome == Outcome::inconclusive ? gate.checks[0] : gate.checks[1];
  EXPECT_GT(*open.smallest_shown, 0.03);
  EXPECT_THAT(gate.message, HasSubstr("Cannot tell"));
  EXPECT_FALSE(gate.advice.empty());
}

// The advice is worth its price: as many blocks as it asks for settle what few left open.
TEST(RegressionGate, TheBlocksThatAreAskedForTell) {
  const findings::Gate few = gate_of(run_with(1.0, 0.045, 12, 3));
  ASSERT_EQ(few.outcome, Outcome::inconclusive);
  int needed = 0;
  for (const auto& check : few.checks) needed = std::max(needed, check.needed.value_or(0));
  ASSERT_GT(needed, 12);
  EXPECT_THAT(few.advice, HasSubstr("measure again with --blocks"));
  EXPECT_EQ(gate_of(run_with(1.0, 0.045, 2 * needed, 3)).outcome, Outcome::passed);
}

TEST(RegressionGate, FewerThanSixBlocksTellNothing) {
  const findings::Gate gate = gate_of(run_with(1.3, 0.01, 5));
  EXPECT_EQ(gate.outcome, Outcome::inconclusive);
  EXPECT_FALSE(gate.checks[1].slowdown);
  EXPECT_THAT(gate.checks[1].message, HasSubstr("only 5 pairs of visits, but the test needs 6"));
}

// Two of twelve visits at four times the time: the trimmed mean does not see them, and the plain
// mean cannot show them.
TEST(RegressionGate, ASlowMinorityOfVisitsIsNotPassed) {
  schema::RunFile run = run_with(1.0, 0.01);
  multiply(run, 3, 2, 4.0);
  const findings::Gate gate = gate_of(run);
  EXPECT_EQ(gate.outcome, Outcome::inconclusive);
  EXPECT_EQ(gate.checks[1].outcome, Outcome::inconclusive);
  EXPECT_THAT(gate.checks[1].message, HasSubstr("2 of 12 visits of b are in a slow mode"));
}

// Two visits of the base in a slow mode: the trimmed mean alone would show the slow-down.
TEST(RegressionGate, BothMeansHaveToShowARegression) {
  schema::RunFile run = run_with(1.10, 0.01);
  multiply(run, 1, 2, 2.0);
  EXPECT_EQ(gate_of(run).checks[1].outcome, Outcome::inconclusive);
}

TEST(RegressionGate, OneVisitInADozenThatANeighbourHitsHidesNoRegression) {
  schema::RunFile run = run_with(1.10, 0.01);
  multiply(run, 1, 1, 2.0);
  EXPECT_EQ(gate_of(run).checks[1].outcome, Outcome::failed);
}

TEST(RegressionGate, OneVisitInADozenThatIsFarSlowerIsNotPassed) {
  schema::RunFile run = run_with(1.0, 0.01);
  multiply(run, 3, 1, 4.0);
  EXPECT_EQ(gate_of(run).checks[1].outcome, Outcome::inconclusive);
}

TEST(RegressionGate, WhatIsDetectableIsSoWhateverElseIsSlower) {
  const auto slower_at_1 = [](const schema::RunConfig& config) {
    const bool slow = config.model == "b" && config.shape.batch_size == 1;
    return affine()(config) * (slow ? 1.5 : 1.0);
  };
  const schema::RunFile run = make_run({two_models(), slower_at_1, 12, 3, noise_of(0.01), 9});
  const findings::Gate other_slower = gate_of(run), equal = gate_of(run_with(1.0, 0.01));
  ASSERT_EQ(other_slower.checks[0].outcome, Outcome::failed);
  // Batch 4 has the same visits in both.
  EXPECT_NEAR(*other_slower.checks[1].detectable, *equal.checks[1].detectable, 1e-6);
  EXPECT_LT(*other_slower.checks[1].smallest_shown, *equal.checks[1].smallest_shown);
}

TEST(RegressionGate, AConfigurationThatFailsInTheCandidateOnlyIsARegression) {
  schema::RunFile run = run_with(1.0, 0.01);
  cut(run, 3, 3);
  run.events = {failure(schema::EventKind::out_of_memory, 3, 3),
                failure(schema::EventKind::out_of_memory, 3, 4)};
  const findings::Gate gate = gate_of(run);
  EXPECT_EQ(gate.outcome, Outcome::failed);
  EXPECT_THAT(gate.checks[1].message,
              HasSubstr("b fails at batch 4, where m does not: out-of-memory: it ended"));
  cut(run, 3, 0);
  EXPECT_EQ(gate_of(run).outcome, Outcome::failed) << "also without a single time";
}

TEST(RegressionGate, OneFailedVisitIsNoProofEitherWay) {
  schema::RunFile run = run_with(1.0, 0.01);
  run.events = {failure(schema::EventKind::crash, 3, 3)};
  EXPECT_EQ(gate_of(run).outcome, Outcome::inconclusive);
  run.events.push_back(failure(schema::EventKind::crash, 1, 5));
  EXPECT_EQ(gate_of(run).outcome, Outcome::passed) << "either side failed once";
}

TEST(RegressionGate, WhatFailsOnBothSidesIsNoRegression) {
  schema::RunFile run = run_with(1.0, 0.01);
  cut(run, 1, 0);
  cut(run, 3, 0);
  run.events = {failure(schema::EventKind::out_of_memory, 1, 0),
                failure(schema::EventKind::out_of_memory, 1, 1),
                failure(schema::EventKind::out_of_memory, 3, 0),
                failure(schema::EventKind::out_of_memory, 3, 1)};
  const findings::Gate gate = gate_of(run);
  EXPECT_EQ(gate.outcome, Outcome::passed);
  EXPECT_THAT(gate.checks[1].message, HasSubstr("m itself fails at batch 4"));
}

// Every third iteration of model b takes 20 times as long: no median shows it.
TEST(RegressionGate, ASlowIterationInThreeIsARegression) {
  schema::RunFile run = make_run({two_models(), slower_at_4(1), 12, 12, noise_of(0.01), 9});
  for (schema::Visit& visit : run.visits) {
    if (visit.config < 2) continue;
    for (std::size_t i = 0; i < visit.samples_ns.size(); i += 3) visit.samples_ns[i] *= 20;
  }
  const findings::Gate gate = gate_of(run);
  EXPECT_EQ(gate.outcome, Outcome::failed) << gate.message;
  EXPECT_THAT(gate.message, HasSubstr("on average"));
  EXPECT_THAT(gate.message, HasSubstr("only some iterations slow down"));
  const findings::Comparison comparison = compared_run(run).comparisons.at(0);
  EXPECT_FALSE(comparison.significant);
  ASSERT_TRUE(comparison.by_mean);
  EXPECT_TRUE(comparison.by_mean->significant);
  EXPECT_GT(comparison.by_mean->ratio.ci->low, 4);
  EXPECT_THAT(comparison.message, HasSubstr("On average over all iterations"));
}

// Every eighth call of model b takes 3 times as long: visits of 5 iterations meet it in their
// warm-up.
TEST(RegressionGate, SlowIterationsThatVisitsAreTooShortForAreNotWithinTheMargin) {
  schema::RunFile run = make_run({two_models(), slower_at_4(1), 12, 5, noise_of(0.005), 9});
  for (schema::Visit& visit : run.visits) {
    visit.warmup_ns.assign(3, visit.samples_ns.front());
    if (visit.config >= 2) visit.warmup_ns.back() *= 3;
  }
  const findings::Gate gate = gate_of(run);
  EXPECT_EQ(gate.outcome, Outcome::inconclusive) << gate.message;
  EXPECT_THAT(gate.checks[0].message, HasSubstr("--min-visit-time"));
}

TEST(RegressionGate, WhatWasNotMeasuredCannotBeReported) {
  schema::RunFile run = run_with(1.0, 0.01);
  cut(run, 3, 0);
  const findings::Gate gate = gate_of(run);
  EXPECT_EQ(gate.outcome, Outcome::inconclusive);
  EXPECT_THAT(gate.message, HasSubstr("b was not measured at batch 4"));
}

TEST(RegressionGate, PrecisionsAreNoVersionsOfOneThing) {
  auto configs = batch_sizes({4});
  configs.push_back(configs.front());
  configs.back().precision = schema::Precision::bf16;
  const auto law = [](const schema::RunConfig& config) {
    return affine()(config) * (config.precision == schema::Precision::bf16 ? 1.5 : 1.0);
  };
  const schema::RunFile run = make_run({configs, law, 12, 3, noise_of(0.01), 1});
  EXPECT_TRUE(gate_of(run).checks.empty()) << "bf16 need not be as fast as fp32";
}

TEST(RegressionGate, TwoSingleRunsCannotTell) {
  const std::vector<schema::RunFile> runs{
      make_run({batch_sizes({1, 4}), affine(), 12, 3, noise_of(0.01), 1}),
      make_run({batch_sizes({1, 4}), affine({{4, 1.5}}), 12, 3, noise_of(0.01), 2})};
  const Compared compared = compared_runs(runs, with_margin(0.03));
  EXPECT_EQ(compared.gate->outcome, Outcome::inconclusive);
  EXPECT_EQ(compared.comparisons.size(), 2u);
}

}  // namespace
}  // namespace batchscope::compare
