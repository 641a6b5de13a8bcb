#include "batchscope/timing/warmups.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "batchscope/stats/rng.hpp"
#include "batchscope/timing/paired.hpp"
#include "batchscope/timing/visits.hpp"

namespace batchscope::timing {
namespace {

// Eight configurations; the first `warming` iterations of one of them take longer.
schema::RunFile run_of(int slow_config, int warming, int blocks = 12) {
  stats::Rng rng(7);
  schema::RunFile run;
  run.configs.resize(8);
  for (std::size_t i = 0; i < 8; ++i) run.configs[i].shape.batch_size = static_cast<int64_t>(i + 1);
  for (int block = 0; block < blocks; ++block) {
    for (int config = 0; config < 8; ++config) {
      schema::Visit visit;
      visit.config = config;
      visit.block = block;
      for (int i = 0; i < 20; ++i) {
        const double extra = config == slow_config && i < warming ? 1.3 : 1;
        const auto ns = std::llround(1e6 * extra * std::exp(0.002 * rng.normal()));
        (i < 2 ? visit.warmup_ns : visit.samples_ns).push_back(ns);
      }
      run.visits.push_back(visit);
    }
  }
  return run;
}

TEST(Warmups, OfOneConfigurationAreNotDilutedByTheOthers) {
  const Warmups warmups = warmups_of(run_of(5, 10));
  EXPECT_EQ(warmups.of(5, 1e6).iterations, 10u);
  EXPECT_TRUE(warmups.of(5, 1e6).determined);
  EXPECT_LT(warmups.of(4, 1e6).iterations, 10u);
}

TEST(Warmups, ThatDoNotEndInTheVisitAreUndetermined) {
  const Warmups warmups = warmups_of(run_of(5, 20));
  EXPECT_TRUE(warmups.of(5, 1e6).determined) << "alike all the way: nothing shows a warm-up";
  const Warmups open = warmups_of(run_of(5, 17));
  EXPECT_FALSE(open.of(5, 1e6).determined);
  EXPECT_GT(open.of(5, 1e6).iterations, 0u);
}

TEST(Warmups, FewVisitsOfAConfigurationLeaveThePooledNeed) {
  const Warmups warmups = warmups_of(run_of(5, 10, 5));
  EXPECT_EQ(warmups.of(5, 1e6).iterations, warmups.pooled().short_iterations.iterations);
}

// Configuration 5 once more, with something of it taken away, which changes nothing; both are
// visited beside each other in six more blocks.
schema::RunFile with_intervention(schema::RunFile run) {
  run.configs.push_back(run.configs[5]);
  run.configs.back().environment = {{"A", "1"}};
  for (std::size_t i = 5; i < 48; i += 8) {
    schema::Visit visit = run.visits[i];
    visit.purpose = schema::Purpose::intervention;
    visit.block += 12;
    run.visits.push_back(visit);
    visit.config = 8;
    run.visits.push_back(visit);
  }
  return run;
}

TEST(Warmups, OfContrastedVisitsAreAlike) {
  const schema::RunFile run = with_intervention(run_of(5, 10));
  const Warmups warmups = warmups_of(run);
  ASSERT_LT(warmups.of(8, 1e6).iterations, 10u) << "nothing was measured of it";
  const int both[] = {5, 8};
  EXPECT_EQ(warmups.alike(both).of(8, 1e6).iterations, 10u);
  EXPECT_EQ(warmups.alike(both).of(5, 1e6).iterations, 10u);
  EXPECT_EQ(warmups.alike(both).of(4, 1e6).iterations, warmups.of(4, 1e6).iterations);
  const auto [with, without, settled] =
      contrasted_visits(run, run.configs[5], run.configs[8], Use::intervention, warmups);
  EXPECT_TRUE(settled);
  EXPECT_EQ(without.visits.front().series.front().size(), 10u);
  const std::vector<double> effect =
      paired(logs_by_block(with, mean_ns), logs_by_block(without, mean_ns));
  ASSERT_EQ(effect.size(), 6u);
  for (const double each : effect) EXPECT_EQ(each, 0) << "the same samples";
}

// The visits with the intervention, configuration 8 here, take longer at first.
schema::RunFile slow_at_first(std::size_t iterations) {
  schema::RunFile run = with_intervention(run_of(0, 0));
  for (schema::Visit& visit : run.visits) {
    if (visit.config != 8) continue;
    for (int64_t& ns : visit.warmup_ns) ns = ns * 13 / 10;
    for (int64_t& ns : std::span(visit.samples_ns).first(iterations - 2)) ns = ns * 13 / 10;
  }
  return run;
}

TEST(Warmups, WhatAnInterventionSlowsAtFirstCountsToo) {
  const schema::RunFile run = slow_at_first(12);
  const auto [with, without, settled] =
      contrasted_visits(run, run.configs[5], run.configs[8], Use::intervention, warmups_of(run));
  EXPECT_TRUE(settled);
  EXPECT_EQ(with.visits.front().series.front().size(), 8u);
  EXPECT_EQ(without.visits.front().series.front().size(), 8u);
  for (const double each : paired(logs_by_block(with, mean_ns), logs_by_block(without, mean_ns))) {
    EXPECT_EQ(each, 0) << "the same samples after it";
  }
}

TEST(Warmups, ThatDoNotEndInAnInterventionLeaveItUnsettled) {
  const schema::RunFile run = slow_at_first(17);
  EXPECT_FALSE(
      contrasted_visits(run, run.configs[5], run.configs[8], Use::intervention, warmups_of(run))
          .settled);
}

TEST(Warmups, OfFreshVisitsAreEachItsOwn) {
  schema::RunFile run = slow_at_first(12);
  for (schema::Visit& visit : run.visits) {
    if (visit.purpose == schema::Purpose::intervention) visit.purpose = schema::Purpose::verify;
  }
  const auto [one, other, settled] =
      contrasted_visits(run, run.configs[5], run.configs[8], Use::fresh, warmups_of(run));
  EXPECT_TRUE(settled);
  EXPECT_EQ(one.visits.front().series.front().size(), 18u);
  EXPECT_EQ(other.visits.front().series.front().size(), 8u);
}

TEST(Warmups, OfTwoOfABatchSizeAreAlikeWhereBothHaveIterationsLeft) {
  schema::RunFile run = run_of(5, 10);
  run.configs[4].shape.batch_size = run.configs[5].shape.batch_size;
  run.configs[4].threads = 2;
  const auto contrasted = [&] {
    return contrasted_visits(run, run.configs[4], run.configs[5], Use::measured, warmups_of(run));
  };
  EXPECT_EQ(contrasted().a.visits.front().series.front().size(), 10u);
  EXPECT_EQ(contrasted().b.visits.front().series.front().size(), 10u);
  for (schema::Visit& visit : run.visits) {
    if (visit.config == 4) visit.samples_ns.resize(9);
  }
  EXPECT_TRUE(contrasted().settled);
  EXPECT_GT(contrasted().a.visits.front().series.front().size(), 3u) << "of 9";
  EXPECT_EQ(contrasted().b.visits.front().series.front().size(), 10u);
}

// The second run has too few visits to show what the first does.
TEST(Warmups, OfRunsHeldAgainstEachOtherAreAlike) {
  std::vector<schema::RunFile> runs = {run_of(5, 10), run_of(5, 10, 5), run_of(5, 10, 5)};
  for (schema::RunConfig& config : runs[0].configs) config.model = "old";
  runs[2].header.plan.warmup = 2;
  ASSERT_LT(warmups_of(runs[1]).of(5, 1e6).iterations, 10u);
  const std::vector<Warmups> alike = warmups_of(runs);
  ASSERT_EQ(alike.size(), 3u);
  for (const Warmups& each : alike) {
    EXPECT_EQ(each.of(5, 1e6).iterations, 10u);
    EXPECT_EQ(each.of(4, 1e6).iterations, alike[0].of(4, 1e6).iterations);
  }
  runs[0].configs[1].model = "another";
  EXPECT_LT(warmups_of(runs)[1].of(5, 1e6).iterations, 10u) << "other models";
  runs[2].header.origin = schema::Origin::imported;
  EXPECT_EQ(warmups_of(runs)[2].of(5, 1e6).iterations, 0u);
}

TEST(Warmups, AlikeWithoutAnyStayWithout) {
  const int both[] = {0, 7, -1};
  EXPECT_EQ(Warmups().alike(both).of(0, 1e6).iterations, 0u);
}

TEST(Warmups, ThatTheUserFixedStay) {
  schema::RunFile run = run_of(5, 10);
  run.header.plan.warmup = 2;
  EXPECT_EQ(warmups_of(run).of(5, 1e6).iterations, 0u);
}

TEST(Warmups, OfOneBlockAreThoseOfItsVisits) {
  schema::RunFile run = run_of(5, 10, 1);
  EXPECT_EQ(warmups_of(run).of(5, 1e6).visits, 8u);
  for (schema::Visit& visit : run.visits) {
    for (int64_t& ns : visit.warmup_ns) ns *= 2;
    visit.samples_ns.front() *= 2;
  }
  EXPECT_EQ(warmups_of(run).of(5, 1e6).iterations, 3u);
}

}  // namespace
}  // namespace batchscope::timing
