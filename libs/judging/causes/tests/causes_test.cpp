#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "batchscope/causes/interventions.hpp"
#include "batchscope/schema/axes.hpp"
#include "explained_run.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::causes {
namespace {

using findings::Status;
using schema::Purpose;
using tables::affine;
using tables::batch_sizes;
using tables::FakeNoise;
using tables::make_run;
using tables::quiet;
using tables::tables_of;
using tables::view_run;
using testing::ElementsAre;
using testing::HasSubstr;

// Batch 8 loses `lost` of its time to memory that goes back and forth, batch 4 none.
struct Planted {
  double lost = 0.08;
  double faults_at_8 = 30'000;
  int pairs = 12;  // blocks with the intervention; 0: none
  FakeNoise noise = {0.01, 0.005, 0.01, 0, 1};
  uint64_t seed = 7;
  int iterations = 6;  // of a visit: 4 or more tell whether the first is slow
};

void charge(schema::Visit& visit, double faults, double system_share) {
  const auto n = static_cast<double>(visit.samples_ns.size());
  const auto time = static_cast<double>(visit.samples_ns.front());
  visit.usage.minor_faults = std::llround(n * faults);
  visit.usage.system_ns = std::llround(n * system_share * time);
}

bool is_changed(const schema::RunConfig& config) {
  return !config.environment.empty();
}

schema::RunFile run_with(const Planted& planted) {
  auto configs = batch_sizes({1, 2, 4, 8});
  for (auto config : batch_sizes({4, 8})) {
    schema::RunFile plain = make_run({batch_sizes({1, 2, 4, 8}), affine(), 1, 3, quiet(), 1});
    for (schema::Visit& visit : plain.visits) charge(visit, visit.config == 3 ? 30'000 : 50, 0.1);
    config.environment = proposed_interventions(plain).at(0).ablations.at(0).without.environment;
    configs.push_back(config);
  }
  const auto law = [&](const schema::RunConfig& config) {
    const bool hit = config.shape.batch_size == 8 && !is_changed(config);
    return affine()(config) * (hit ? 1 / (1 - planted.lost) : 1.0);
  };
  schema::RunFile run =
      make_run({configs, law, 12 + planted.pairs, planted.iterations, planted.noise, planted.seed});
  std::erase_if(run.visits, [](const schema::Visit& visit) {
    return visit.block < 12 ? visit.config > 3 : visit.config < 2;
  });
  for (schema::Visit& visit : run.visits) {
    if (visit.block >= 12) visit.purpose = Purpose::intervention;
    const bool faults = visit.config == 3;
    charge(visit, faults ? planted.faults_at_8 : 50, faults ? 0.1 : 0.001);
  }
  return run;
}

std::vector<findings::Finding> causes_of(const schema::RunFile& run) {
  std::vector<findings::Finding> causes = explained_findings(run);
  std::erase_if(causes, [](const findings::Finding& f) { return !f.id.starts_with("cause."); });
  return causes;
}

TEST(Causes, WhatCompilesInItsIterationsIsNoSignalOfTheHeapOrTheCollector) {
  schema::RunFile run = run_with({.pairs = 0});
  for (schema::Visit& visit : run.visits) {
    if (visit.config != 3) continue;
    visit.compilation.emplace();
    visit.compilation->recompiled_timed = 1;
    visit.compilation->recompiled_timed_ns = visit.samples_ns.front();
    visit.collections = schema::Collections{3, visit.samples_ns.front() / 5, 1000};
  }
  EXPECT_TRUE(causes_of(run).empty());
  EXPECT_TRUE(proposed_interventions(run).empty());
  const auto found = explained_findings(run);
  const auto is_named = [](const auto& each) { return each.id == "bottleneck.recompilation"; };
  ASSERT_EQ(std::count_if(found.begin(), found.end(), is_named), 1);
  EXPECT_THAT(std::find_if(found.begin(), found.end(), is_named)->batch_sizes, ElementsAre(8));
  // One visit of many that compiled is not what the others were charged.
  for (schema::Visit& visit : run.visits) {
    if (visit.block > 0) visit.compilation.reset();
  }
  EXPECT_EQ(causes_of(run).size(), 2u);
}

TEST(Causes, ASignalAloneIsASuspicionWithAnExperiment) {
  const schema::RunFile run = run_with({.pairs = 0});
  const auto causes = causes_of(run);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].id, "cause.heap-returned");
  EXPECT_EQ(causes[0].status, Status::suspected);
  EXPECT_EQ(causes[0].severity, findings::Severity::info);
  EXPECT_THAT(causes[0].batch_sizes, ElementsAre(8));
  EXPECT_THAT(causes[0].what, HasSubstr("30000 page faults"));
  EXPECT_THAT(causes[0].fix, HasSubstr("export GLIBC_TUNABLES="));
  const auto proposed = proposed_interventions(run);
  ASSERT_EQ(proposed.size(), 1u);
  ASSERT_EQ(proposed[0].ablations.size(), 2u);
  EXPECT_EQ(proposed[0].ablations[0].config.shape.batch_size, 8);
  EXPECT_EQ(proposed[0].ablations[1].config.shape.batch_size, 4);
}

TEST(Causes, AnInterventionThatTakesTheExcessAwayConfirms) {
  const auto causes = causes_of(run_with({}));
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].status, Status::confirmed);
  EXPECT_EQ(causes[0].severity, findings::Severity::low);
  ASSERT_TRUE(causes[0].gain);
  EXPECT_LT(causes[0].gain->low, 0.08);
  EXPECT_GT(causes[0].gain->high, 0.08);
  EXPECT_THAT(causes[0].what, HasSubstr("less time"));
}

TEST(Causes, AnInterventionWithoutEffectRefutes) {
  const auto causes = causes_of(run_with({.lost = 0}));
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].status, Status::refuted);
  EXPECT_TRUE(causes[0].fix.empty());
  EXPECT_FALSE(causes[0].gain);
}

TEST(Causes, NothingIsConfirmedWhileTheWarmupIsNotDetermined) {
  const auto causes = causes_of(run_with({.iterations = 3}));
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].status, Status::suspected);
  EXPECT_THAT(causes[0].what, HasSubstr("The length of the warm-up is unknown"));
  schema::RunFile fixed = run_with({.iterations = 3});
  fixed.header.plan.warmup = 2;  // as the user wants it
  EXPECT_EQ(causes_of(fixed).at(0).status, Status::confirmed);
}

// What is without the cause takes longer for its first iterations, of 20.
schema::RunFile slow_without_it(std::size_t first) {
  schema::RunFile run = run_with({.iterations = 20});
  for (schema::Visit& visit : run.visits) {
    if (visit.purpose != Purpose::intervention || visit.config < 4) continue;
    for (int64_t& ns : std::span(visit.samples_ns).first(first)) ns = ns * 13 / 10;
  }
  return run;
}

TEST(Causes, WhatOnlyAnInterventionSlowsAtFirstRefutesNothing) {
  EXPECT_EQ(causes_of(slow_without_it(11)).at(0).status, Status::confirmed);
  const auto open = causes_of(slow_without_it(17));
  EXPECT_EQ(open.at(0).status, Status::suspected);
  EXPECT_THAT(open.at(0).what, HasSubstr("length of the warm-up is unknown"));
}

TEST(Causes, AreStatedToBeTriedAtTheSizesWhereTheyWere) {
  EXPECT_THAT(causes_of(run_with({})).at(0).what, HasSubstr("batches 4 and 8 only"));
  EXPECT_THAT(causes_of(run_with({.lost = 0})).at(0).what, HasSubstr("batches 4 and 8 only"));
}

TEST(Causes, TooFewPairsSettleNothing) {
  EXPECT_EQ(causes_of(run_with({.pairs = 5})).at(0).status, Status::suspected);
}

TEST(Causes, WithoutTheSignalNothingIsStated) {
  EXPECT_TRUE(causes_of(run_with({.faults_at_8 = 100})).empty());
}

TEST(Causes, APresetInterventionIsNotProposedAgain) {
  schema::RunFile run = run_with({.pairs = 0});
  for (schema::RunConfig& config : run.configs) config.environment["GLIBC_TUNABLES"] = "x";
  EXPECT_TRUE(causes_of(run).empty());
  EXPECT_TRUE(proposed_interventions(run).empty());
}

// An environment that the user compares is no experiment: causes are looked for once, where it
// changes least, and experiments add to it.
TEST(Causes, AreLookedForUnderThePlainestEnvironmentAskedFor) {
  const schema::Environment plain = {{"OMP_PROC_BIND", "true"}};
  const schema::Environment more = {{"MALLOC_ARENA_MAX", "1"}, {"OMP_PROC_BIND", "true"}};
  std::vector<schema::RunConfig> configs;
  for (const schema::Environment& environment : {more, plain}) {
    for (schema::RunConfig& config : batch_sizes({1, 2, 4, 8})) {
      config.environment = environment;
      configs.push_back(config);
    }
  }
  schema::RunFile run = make_run({configs, affine(), 1, 3, quiet(), 1});
  for (schema::Visit& visit : run.visits) charge(visit, visit.config % 4 == 3 ? 30'000 : 50, 0.1);
  run.header.configurations = 8;
  const auto proposed = proposed_interventions(run);
  ASSERT_EQ(proposed.size(), 1u);
  const Ablation& ablation = proposed[0].ablations.at(0);
  EXPECT_EQ(ablation.config.environment, plain);
  EXPECT_THAT(ablation.without.environment,
              testing::AllOf(testing::Contains(*plain.begin()),
                             testing::Contains(testing::Key("GLIBC_TUNABLES"))));
  for (const schema::RunConfig& config : worth_diagnosing(run)) {
    EXPECT_EQ(config.environment, plain);
  }
}

TEST(Causes, InterventionsStayOutOfTheTable) {
  const schema::RunFile run = run_with({});
  const auto groups = tables_of(view_run(run), {}).groups;
  ASSERT_EQ(groups.size(), 1u);
  for (const findings::ConfigRow& row : groups[0].rows) EXPECT_EQ(row.n, 12);
}

// A cause that is not there is confirmed in at most 5 % of runs; 400 of them, by Clopper-Pearson at
// 99 % up to 8.4 %.
TEST(Causes, WithoutAnEffectFewAreConfirmed) {
  int confirmed = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const auto causes = causes_of(run_with({.lost = 0, .seed = seed}));
    confirmed += causes.at(0).status == Status::confirmed ? 1 : 0;
  }
  EXPECT_LE(confirmed, 33);
}

TEST(Causes, TheConfirmedCauseExplainsTheOddSize) {
  bool named = false;
  for (const findings::Finding& finding : explained_findings(run_with({.lost = 0.35}))) {
    named = named || (finding.id == "scaling.dominated" &&
                      finding.cause.find("cause.heap-returned") != std::string::npos);
  }
  EXPECT_TRUE(named);
}

TEST(Causes, AConfirmedCauseWithoutANeighbourExplainsTheOddSize) {
  schema::RunFile run = run_with({.lost = 0.35});
  std::erase_if(run.visits, [&](const schema::Visit& visit) {
    const auto& config = run.configs[static_cast<std::size_t>(visit.config)];
    return visit.purpose == Purpose::intervention && config.shape.batch_size == 4;
  });
  for (const findings::Finding& finding : explained_findings(run)) {
    EXPECT_THAT(finding.cause, testing::Not(HasSubstr("unexplained"))) << finding.what;
  }
}

TEST(Causes, WhatWasLookedAtInVainIsUnexplained) {
  schema::RunFile run = make_run({batch_sizes({1, 2, 4, 8}), affine({{4, 1.6}}), 13, 3, {}, 3});
  for (schema::Visit& visit : run.visits) {
    if (visit.block == 12) visit.purpose = Purpose::diagnostic;
  }
  bool unexplained = false;
  for (const findings::Finding& finding : explained_findings(run)) {
    unexplained = unexplained || finding.cause == "unexplained";
  }
  EXPECT_TRUE(unexplained);
}

}  // namespace
}  // namespace batchscope::causes
