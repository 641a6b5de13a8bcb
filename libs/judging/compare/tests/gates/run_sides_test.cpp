#include "gates/run_sides.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "batchscope/stats/rng.hpp"
#include "compared_runs.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::compare {
namespace {

using findings::Outcome;
using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using testing::HasSubstr;

// Runs of one program, each of which is as a whole faster or slower than the others by `run_sd`.
std::vector<schema::RunFile> make_runs(int n, double run_sd, double factor, stats::Rng& rng,
                                       const std::string& model = "m",
                                       const std::vector<int64_t>& sizes = {1, 4}) {
  std::vector<schema::RunFile> runs;
  for (int i = 0; i < n; ++i) {
    const double shift = factor * std::exp(run_sd * rng.normal());
    auto configs = batch_sizes(sizes);
    for (auto& config : configs) config.model = model;
    const auto law = [=](const schema::RunConfig& config) { return affine()(config) * shift; };
    const auto seed = static_cast<uint64_t>(1e9 * rng.uniform());
    runs.push_back(make_run({configs, law, 8, 3, {0.01, 0.01, 0.01, 0.02, 1.3}, seed}));
  }
  return runs;
}

std::vector<schema::RunFile> both_sides(int n, double run_sd, double factor, stats::Rng& rng,
                                        const std::string& candidate = "m") {
  std::vector<schema::RunFile> runs = make_runs(n, run_sd, 1, rng);
  for (auto& run : make_runs(n, run_sd, factor, rng, candidate)) runs.push_back(std::move(run));
  return runs;
}

Compared judged(const std::vector<schema::RunFile>& runs, std::size_t baseline,
                bool in_pairs = false) {
  ComparisonOptions options = with_margin(0.03);
  options.baseline_runs = baseline;
  options.runs_in_pairs = in_pairs;
  return compared_runs(runs, options);
}

TEST(RunSides, ARunIsOneValueOfTheTest) {
  stats::Rng rng(1);
  const Compared compared = judged(both_sides(4, 0.005, 1.2, rng), 4);
  ASSERT_EQ(compared.comparisons.size(), 2u);
  const findings::Comparison& first = compared.comparisons.front();
  EXPECT_EQ(first.test, findings::ComparisonTest::welch_runs);
  EXPECT_EQ(first.n, 4);
  EXPECT_TRUE(first.significant);
  EXPECT_THAT(first.message, HasSubstr("candidate takes"));
  EXPECT_THAT(first.message, HasSubstr("4 runs a side"));
  EXPECT_EQ(compared.gate.value().outcome, Outcome::failed);
}

TEST(RunSides, SteadyRunsOfEqualProgramsPass) {
  stats::Rng rng(2);
  EXPECT_EQ(judged(both_sides(6, 0.002, 1, rng), 6).gate.value().outcome, Outcome::passed);
}

// Equal programs whose size 1 is slow for its first iterations, in runs of so many blocks.
std::vector<schema::RunFile> slow_at_first(std::size_t slow, const std::vector<int>& blocks) {
  std::vector<schema::RunFile> runs;
  for (const int each : blocks) {
    const tables::FakeNoise noise{0.005, 0.005, 0.005, 0, 1};
    const auto seed = static_cast<uint64_t>(runs.size());
    runs.push_back(make_run({batch_sizes({1, 2, 4, 8}), affine(), each, 20, noise, seed}));
    for (schema::Visit& visit : runs.back().visits) {
      if (visit.config != 0) continue;
      for (int64_t& ns : std::span(visit.samples_ns).first(slow)) ns = ns * 13 / 10;
    }
  }
  return runs;
}

TEST(RunSides, ARunOfFewVisitsIsCutAsTheOthersAre) {
  const Compared compared = judged(slow_at_first(12, {12, 12, 12, 5, 5, 5}), 3);
  EXPECT_EQ(compared.gate.value().outcome, Outcome::passed);
  for (const findings::Comparison& each : compared.comparisons) EXPECT_FALSE(each.significant);
}

TEST(RunSides, WhatMayStillHoldWarmUpTellsNothing) {
  const Compared compared = judged(slow_at_first(17, {12, 12, 12, 12, 12, 12}), 3);
  const findings::Gate& gate = compared.gate.value();
  EXPECT_EQ(gate.outcome, Outcome::inconclusive);
  EXPECT_THAT(gate.message, HasSubstr("may still include warm-up"));
  EXPECT_THAT(gate.message, testing::Not(HasSubstr("fresh processes")));
}

// What the short iterations of the one need is more than the long ones of the other have.
TEST(RunSides, ALargeSlowdownIsSeenThroughAWarmUp) {
  std::vector<schema::RunFile> runs = slow_at_first(6, {12, 12, 12});
  for (schema::RunFile slower : slow_at_first(0, {12, 12, 12})) {
    for (schema::Visit& visit : slower.visits) {
      visit.samples_ns.resize(5);
      for (int64_t& ns : visit.samples_ns) ns *= 20;
    }
    runs.push_back(std::move(slower));
  }
  const Compared compared = judged(runs, 3);
  for (const findings::GateCheck& check : compared.gate.value().checks) {
    EXPECT_EQ(check.outcome, Outcome::failed) << check.message;
  }
}

TEST(RunSides, TwoRunsASideCannotTell) {
  stats::Rng rng(3);
  const Compared compared = judged(both_sides(2, 0.001, 1.5, rng), 2);
  EXPECT_FALSE(compared.comparisons.front().significant);
  EXPECT_EQ(compared.gate.value().outcome, Outcome::inconclusive);
  EXPECT_THAT(compared.gate.value().checks.front().message, HasSubstr("the test needs 3"));
}

TEST(RunSides, WhereEitherSideHasOneModelItsNameMayDiffer) {
  stats::Rng rng(4);
  const Compared compared = judged(both_sides(3, 0.002, 1.2, rng, "m2"), 3);
  EXPECT_EQ(compared.comparisons.size(), 2u);
  EXPECT_EQ(compared.gate.value().checks.size(), 2u);
}

// What all runs of an hour share is taken out by pairs, and drowns independent sides.
TEST(RunSides, PairsTakeOutWhatTheyShare) {
  stats::Rng rng(5);
  std::vector<schema::RunFile> baseline, candidate;
  for (int pair = 0; pair < 5; ++pair) {
    const double hour = std::exp(0.1 * rng.normal());
    baseline.push_back(make_runs(1, 0.001, hour, rng).front());
    candidate.push_back(make_runs(1, 0.001, 1.1 * hour, rng).front());
  }
  std::vector<schema::RunFile> runs = baseline;
  runs.insert(runs.end(), candidate.begin(), candidate.end());
  EXPECT_EQ(judged(runs, 5).gate.value().outcome, Outcome::inconclusive);
  const Compared paired = judged(runs, 5, true);
  EXPECT_EQ(paired.comparisons.front().test, findings::ComparisonTest::paired_runs);
  EXPECT_EQ(paired.gate.value().outcome, Outcome::failed);
}

TEST(RunSides, AConfigurationThatIsMissingInTheCandidateCannotBeReported) {
  stats::Rng rng(6);
  std::vector<schema::RunFile> runs = make_runs(3, 0.001, 1, rng);
  for (auto& run : make_runs(3, 0.001, 1, rng, "m", {1})) runs.push_back(std::move(run));
  const findings::Gate gate = judged(runs, 3).gate.value();
  EXPECT_EQ(gate.outcome, Outcome::inconclusive);
  EXPECT_THAT(gate.message, HasSubstr("candidate has no visits of model m at batch 4"));
}

struct Rates {
  int failed = 0, passed = 0;
};

Rates rates_of(double factor, int n, int experiments) {
  stats::Rng rng(77);
  Rates rates;
  for (int i = 0; i < experiments; ++i) {
    const Outcome outcome =
        judged(both_sides(n, 0.02, factor, rng), static_cast<std::size_t>(n)).gate.value().outcome;
    rates.failed += outcome == Outcome::failed ? 1 : 0;
    rates.passed += outcome == Outcome::passed ? 1 : 0;
  }
  return rates;
}

// Runs of equal programs that scatter by 2 %: two of them "differ" in most cases.
TEST(RunSides, EqualProgramsWhoseRunsScatterFailInAtMostFivePercent) {
  EXPECT_LE(rates_of(1.0, 3, 400).failed, 400 * 5 / 100);
  EXPECT_LE(rates_of(1.0, 5, 400).failed, 400 * 5 / 100);
}

TEST(RunSides, AtTheMarginItselfEitherVerdictComesInAtMostFivePercent) {
  const Rates rates = rates_of(1.03, 5, 400);
  EXPECT_LE(rates.failed, 400 * 7 / 100);
  EXPECT_LE(rates.passed, 400 * 7 / 100);
}

TEST(RunSides, ARealSlowDownIsFoundThroughTheScatter) {
  EXPECT_GE(rates_of(1.12, 6, 200).failed, 200 * 90 / 100);
}

}  // namespace
}  // namespace batchscope::compare
