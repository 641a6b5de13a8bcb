#include "batchscope/timing/contrasted.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "batchscope/timing/paired.hpp"
#include "batchscope/timing/visits.hpp"
#include "warming_run.hpp"

namespace batchscope::timing {
namespace {

std::size_t iterations_of(const WarmVisits& visits) {
  return visits.visits.front().series.front().size();
}

void take_longer(schema::Visit& visit, int64_t times) {
  for (int64_t& ns : visit.samples_ns) ns *= times;
  for (int64_t& ns : visit.warmup_ns) ns *= times;
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

TEST(Contrasted, SidesOfAnInterventionAreCutAlike) {
  const schema::RunFile run = with_intervention(run_of(5, 10));
  const Warmups warmups = warmups_of(run);
  ASSERT_LT(warmups.of(8, 1e6).iterations, 10u) << "nothing was measured of it";
  const int both[] = {5, 8};
  EXPECT_EQ(warmups.with_longest_of(both).of(8, 1e6).iterations, 10u);
  EXPECT_EQ(warmups.with_longest_of(both).of(5, 1e6).iterations, 10u);
  EXPECT_EQ(warmups.with_longest_of(both).of(4, 1e6).iterations, warmups.of(4, 1e6).iterations);
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

TEST(Contrasted, WhatAnInterventionSlowsAtFirstCountsToo) {
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

TEST(Contrasted, AWarmUpThatDoesNotEndLeavesAnInterventionUnsettled) {
  const schema::RunFile run = slow_at_first(17);
  EXPECT_FALSE(
      contrasted_visits(run, run.configs[5], run.configs[8], Use::intervention, warmups_of(run))
          .settled);
}

TEST(Contrasted, FreshVisitsOfABatchSizeAreCutAlike) {
  schema::RunFile run = slow_at_first(12);
  for (schema::Visit& visit : run.visits) {
    if (visit.purpose == schema::Purpose::intervention) visit.purpose = schema::Purpose::verify;
  }
  const auto fresh = [&] {
    return contrasted_visits(run, run.configs[5], run.configs[8], Use::fresh, warmups_of(run));
  };
  EXPECT_TRUE(fresh().settled);
  EXPECT_EQ(iterations_of(fresh().a), 8u);
  EXPECT_EQ(iterations_of(fresh().b), 8u);
  run.configs[8].shape.batch_size = 9;
  EXPECT_EQ(iterations_of(fresh().a), 18u);
  EXPECT_EQ(iterations_of(fresh().b), 8u);
}

// Smaller batches are an intervention too; how many of their iterations are warm-up says nothing of
// larger ones.
TEST(Contrasted, SidesThatDifferInBatchSizeAreEachCutByTheirOwn) {
  schema::RunFile run = slow_at_first(12);
  run.configs[8].shape.batch_size = 3;
  const auto [full, split, settled] =
      contrasted_visits(run, run.configs[5], run.configs[8], Use::intervention, warmups_of(run));
  EXPECT_TRUE(settled);
  EXPECT_EQ(iterations_of(full), 18u);
  EXPECT_EQ(iterations_of(split), 8u);
}

TEST(Contrasted, TwoOfABatchSizeAreCutAlikeWhereBothHaveIterationsLeft) {
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
  EXPECT_FALSE(contrasted().settled) << "as long iterations may need as many";
  for (schema::Visit& visit : run.visits) {
    if (visit.config != 4) continue;
    take_longer(visit, 2);
  }
  EXPECT_TRUE(contrasted().settled);
  EXPECT_GT(contrasted().a.visits.front().series.front().size(), 3u) << "of 9";
  EXPECT_EQ(contrasted().b.visits.front().series.front().size(), 10u);
}

TEST(Contrasted, VisitsThatOnlyACommonCutWouldLoseStay) {
  schema::RunFile run = run_of(5, 10);
  run.configs[4].shape.batch_size = run.configs[5].shape.batch_size;
  run.configs[4].threads = 2;
  // Five of twelve visits of it are too short for what the other needs, whose iterations are
  // shorter.
  for (schema::Visit& visit : run.visits) {
    if (visit.config != 4) continue;
    if (visit.block < 5) visit.samples_ns.resize(9);
    take_longer(visit, 2);
  }
  const auto sides =
      contrasted_visits(run, run.configs[4], run.configs[5], Use::measured, warmups_of(run));
  EXPECT_TRUE(sides.settled);
  EXPECT_EQ(sides.a.visits.size(), 12u);
}

// Configuration 5 of runs, the first so many of which are side a.
class Runs {
 public:
  explicit Runs(std::vector<schema::RunFile> runs) : runs_(std::move(runs)) {
    for (const schema::RunFile& run : runs_) warmups_.push_back(warmups_of(run));
  }
  ContrastedRuns contrasted(std::size_t first) const {
    std::vector<ConfigInRun> places;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      places.push_back({&runs_[i], &runs_[i].configs[5], &warmups_[i]});
    }
    return contrasted_runs(std::span(places).first(first), std::span(places).subspan(first));
  }

 private:
  std::vector<schema::RunFile> runs_;
  std::vector<Warmups> warmups_;
};

TEST(Contrasted, ARunOfFewVisitsIsCutAsTheOthersAre) {
  std::vector<schema::RunFile> runs = {run_of(5, 10), run_of(5, 10, 5), run_of(5, 10, 5)};
  ASSERT_LT(warmups_of(runs[1]).of(5, 1e6).iterations, 10u);
  runs[2].header.plan.warmup = 2;
  const ContrastedRuns sides = Runs(runs).contrasted(1);
  EXPECT_TRUE(sides.settled);
  EXPECT_EQ(iterations_of(sides.a[0]), 10u);
  EXPECT_EQ(iterations_of(sides.b[0]), 10u);
  EXPECT_EQ(iterations_of(sides.b[1]), 10u) << "fixed by the user";
  runs[2].header.origin = schema::Origin::imported;
  EXPECT_EQ(iterations_of(Runs(runs).contrasted(1).b[1]), 18u);
}

TEST(Contrasted, RunsOfASideShowTogetherWhatNoneOfThemCan) {
  std::vector<schema::RunFile> runs;
  for (int i = 0; i < 3; ++i) runs.push_back(run_of(-1, 0, 4));
  for (int i = 0; i < 3; ++i) runs.push_back(run_of(5, 10, 4));
  ASSERT_LT(warmups_of(runs[5]).of(5, 1e6).iterations, 10u);
  const ContrastedRuns sides = Runs(runs).contrasted(3);
  EXPECT_TRUE(sides.settled);
  EXPECT_EQ(iterations_of(sides.a[0]), 10u);
  EXPECT_EQ(iterations_of(sides.b[2]), 10u);
}

// Seven iterations of 260 ms are enough; that six of 36 ms are warm-up says nothing of them.
TEST(Contrasted, LongIterationsDoNotLoseWhatShortOnesNeed) {
  std::vector<schema::RunFile> runs;
  for (int i = 0; i < 3; ++i) runs.push_back(run_of(5, 6));
  for (int i = 0; i < 3; ++i) {
    runs.push_back(run_of(-1, 0));
    for (schema::Visit& visit : runs.back().visits) {
      visit.samples_ns.resize(5);
      take_longer(visit, 260);
    }
  }
  const ContrastedRuns sides = Runs(runs).contrasted(3);
  EXPECT_TRUE(sides.settled);
  EXPECT_EQ(iterations_of(sides.a[0]), 14u);
  EXPECT_EQ(iterations_of(sides.b[0]), 5u);
}

// Three runs of four visits show together what none of them can, also where their iterations are
// too long, and too few, for the need of the others.
TEST(Contrasted, ASideThatIsCutByItsOwnKeepsWhatItsRunsShowTogether) {
  std::vector<schema::RunFile> runs;
  for (int i = 0; i < 3; ++i) runs.push_back(run_of(5, 14));
  for (int i = 0; i < 3; ++i) {
    runs.push_back(run_of(5, 8, 4));
    for (schema::Visit& visit : runs.back().visits) {
      visit.samples_ns.resize(10);
      take_longer(visit, 20);
    }
  }
  ASSERT_LT(warmups_of(runs[5]).of(5, 20e6).iterations, 8u);
  const ContrastedRuns sides = Runs(runs).contrasted(3);
  EXPECT_TRUE(sides.settled);
  EXPECT_EQ(iterations_of(sides.a[0]), 6u);
  EXPECT_EQ(iterations_of(sides.b[0]), 4u);
}

// The same model: its first 14 iterations take twice as long, and one side made six.
TEST(Contrasted, VisitsThatEndWithinTheirWarmUpAreNoLongerIterations) {
  std::vector<schema::RunFile> runs;
  for (int i = 0; i < 6; ++i) {
    runs.push_back(run_of(-1, 0));
    for (schema::Visit& visit : runs.back().visits) {
      for (int64_t& ns : visit.warmup_ns) ns *= 2;
      for (int64_t& ns : std::span(visit.samples_ns).first(12)) ns *= 2;
      if (i >= 3) visit.samples_ns.resize(6);
    }
  }
  EXPECT_FALSE(Runs(runs).contrasted(3).settled);
}

// Only those of over 0.2 s are told apart from the others that need more.
TEST(Contrasted, WhatQuickIterationsNeedTogetherIsNotTakenOffLongOnes) {
  schema::RunFile run = run_of(-1, 0);
  for (schema::Visit& visit : run.visits) {
    const int times = visit.config == 5 ? 210 : visit.config == 4 ? 190 : 10;
    for (int64_t& ns : visit.warmup_ns) ns *= times > 10 ? times : 2 * times;
    for (int64_t& ns : visit.samples_ns) ns *= times;
    if (times > 10)
      visit.samples_ns.resize(8);
    else
      for (int64_t& ns : std::span(visit.samples_ns).first(10)) ns *= 2;
  }
  run.configs[4].shape.batch_size = run.configs[5].shape.batch_size;
  run.configs[4].threads = 2;
  run.configs[4].model = run.configs[5].model = "another";
  const Warmups warmups = warmups_of(run);
  const auto sides = contrasted_visits(run, run.configs[4], run.configs[5], Use::measured, warmups);
  EXPECT_EQ(iterations_of(sides.b), 8u);
}

// One run of three was made while the machine was throttled; the sides take as long as each other.
TEST(Contrasted, LengthsAreComparedBetweenTheSides) {
  std::vector<schema::RunFile> runs;
  for (int i = 0; i < 3; ++i) runs.push_back(run_of(5, 10));
  for (int i = 0; i < 3; ++i) {
    runs.push_back(run_of(-1, 0));
    for (schema::Visit& visit : runs.back().visits) visit.samples_ns.resize(9);
  }
  for (schema::Visit& visit : runs.back().visits) {
    take_longer(visit, 2);
  }
  EXPECT_FALSE(Runs(runs).contrasted(3).settled) << "as long iterations may need as many";
}

TEST(Contrasted, ARunWithoutTheConfigurationHasNoVisits) {
  const schema::RunFile run = run_of(5, 10);
  const Warmups warmups = warmups_of(run);
  const ConfigInRun places[] = {{&run, &run.configs[5], &warmups}, {&run, nullptr, &warmups}};
  const ContrastedRuns sides =
      contrasted_runs(std::span(places).first(1), std::span(places).subspan(1));
  EXPECT_TRUE(sides.settled);
  EXPECT_TRUE(sides.b[0].visits.empty());
  EXPECT_EQ(iterations_of(sides.a[0]), 10u);
}

}  // namespace
}  // namespace batchscope::timing
