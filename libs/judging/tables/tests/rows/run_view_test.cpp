#include "batchscope/tables/run_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "testing/runs/fake_run.hpp"

namespace batchscope::tables {
namespace {

schema::RunFile small_run() {
  return make_run({batch_sizes({2, 1}), affine(), 4, 3, quiet(), 1});
}

TEST(RunView, SortsByBatchSizeAndKeepsTheIndexOfTheFile) {
  const schema::RunFile run = small_run();
  const RunView view = view_run(run);
  ASSERT_EQ(view.groups.size(), 1u);
  EXPECT_EQ(view.groups[0].configs[0].batch_size(), 1);
  EXPECT_EQ(view.groups[0].configs[0].config_index, 1);
  EXPECT_EQ(view.groups[0].table.blocks.size(), 4u);
}

TEST(RunView, VerifyAndDiagnosticVisitsDoNotCount) {
  schema::RunFile run = small_run();
  for (const schema::Purpose purpose :
       {schema::Purpose::verify, schema::Purpose::diagnostic, schema::Purpose::intervention}) {
    schema::Visit visit = run.visits.front();
    visit.block = 9;
    visit.purpose = purpose;
    run.visits.push_back(visit);
  }
  EXPECT_EQ(view_run(run).groups[0].table.blocks.size(), 4u);
}

// That of the other run warms up for ten iterations; this one has too few visits to show whether it
// does.
TEST(RunView, DoesNotDependOnTheOtherRuns) {
  std::vector<schema::RunFile> runs;
  for (const int blocks : {12, 5}) {
    runs.push_back(make_run({batch_sizes({1, 2}), affine(), blocks, 20, quiet(), 1}));
  }
  for (schema::Visit& visit : runs.front().visits) {
    for (int64_t& ns : std::span(visit.samples_ns).first(10)) ns = ns * 13 / 10;
  }
  ASSERT_GT(view_run(runs.front()).trimmed_visits, 0);
  const std::vector<RunView> views = view_runs(runs);
  EXPECT_EQ(views[1].trimmed_visits, view_run(runs[1]).trimmed_visits);
  EXPECT_EQ(views[1].groups[0].table.blocks, view_run(runs[1]).groups[0].table.blocks);
}

schema::Visit of_two_instances() {
  schema::Visit visit;
  visit.warmup_ns = {90, 80, 70};
  visit.samples_ns = {10, 30, 20, 400, 60, 60, 60, 60};
  visit.instance_warmups = {1, 2};
  visit.instance_samples = {3, 5};
  return visit;
}

TEST(RunView, ATimeOfSeveralInstancesGivesTheSumOfTheirRates) {
  schema::RunFile run = small_run();
  run.configs.front().instances = 2;
  run.visits = {of_two_instances()};
  const RunView view = view_run(run);
  const UsableVisit& usable = view.groups[0].configs[0].visits[0];
  ASSERT_EQ(usable.series.size(), 2u);
  EXPECT_EQ(usable.series[1].front(), 400);
  // Medians 20 and 60.
  EXPECT_DOUBLE_EQ(2 / timing::typical_ns(usable), 1.0 / 20 + 1.0 / 60);
}

TEST(RunView, AWarmUpIsTakenOffEachInstance) {
  schema::RunFile run = small_run();
  run.configs.front().instances = 2;
  run.visits.clear();
  for (int block = 0; block < 12; ++block) {
    schema::Visit visit = of_two_instances();
    visit.block = block;
    visit.warmup_ns = {900, 900};
    visit.instance_warmups = {1, 1};
    visit.samples_ns = {500, 100, 100, 100, 100, 100, 100, 500, 100, 100, 100, 100, 100, 100};
    visit.instance_samples = {7, 7};
    run.visits.push_back(visit);
  }
  const RunView view = view_run(run);
  EXPECT_EQ(view.trimmed_visits, 12);
  for (const auto& samples : view.groups[0].configs[0].visits[3].series) {
    EXPECT_EQ(samples.size(), 6u);
    EXPECT_EQ(samples.front(), 100);
  }
}

TEST(RunView, OnlyTheLatestAttemptOfABlockCounts) {
  schema::RunFile run = small_run();
  schema::Visit again = run.visits.back();
  again.attempt = 1;
  again.samples_ns = {1000, 1000, 1000};
  run.visits.push_back(again);
  const RunView view = view_run(run);
  // The other configuration's visit of that block belongs to the attempt that was given up.
  EXPECT_EQ(column(view.groups[0].table, 1).size(), 3u);
  EXPECT_EQ(column(view.groups[0].table, 0).size(), 4u);
}

TEST(RunView, AControlIsWhatWasOnlyMeasuredAsControl) {
  schema::RunFile run = small_run();
  for (schema::Visit& visit : run.visits) {
    if (visit.config == 0) visit.purpose = schema::Purpose::control;
  }
  const RunView view = view_run(run);
  EXPECT_EQ(view.groups[0].configs[1].purpose, schema::Purpose::control);
  EXPECT_EQ(view.groups[0].configs[0].purpose, schema::Purpose::measure);
  EXPECT_EQ(testable_columns(view.groups[0], false).columns(), 1u);
  EXPECT_EQ(testable_columns(view.groups[0], true).columns(), 2u);
}

TEST(RunView, ASizeWithFewVisitsIsNotTested) {
  schema::RunFile run = small_run();
  std::erase_if(run.visits,
                [](const schema::Visit& visit) { return visit.config == 0 && visit.block > 0; });
  EXPECT_EQ(testable_columns(view_run(run).groups[0], false).columns(), 1u);
}

// Every visit starts with slow iterations that none of its warm-up covers.
schema::RunFile cold_run(std::size_t slow, std::size_t timed) {
  schema::RunFile run = make_run({batch_sizes({1, 2}), affine(), 12, 1, quiet(), 1});
  for (schema::Visit& visit : run.visits) {
    const int64_t ns = visit.samples_ns.front();
    visit.warmup_ns = {3 * ns};
    visit.samples_ns.assign(timed, ns);
    for (std::size_t i = 0; i < slow; ++i) visit.samples_ns[i] = 2 * ns;
  }
  return run;
}

TEST(RunView, AWarmUpThatGrewTrimsAllVisits) {
  const schema::RunFile run = cold_run(2, 12);
  const RunView view = view_run(run);
  EXPECT_EQ(view.trimmed_visits, 24);
  EXPECT_EQ(view.groups[0].configs[0].visits[0].series[0].size(), 10u);
}

TEST(RunView, AWarmUpTheUserFixedStays) {
  schema::RunFile run = cold_run(2, 12);
  run.header.plan.warmup = 1;
  EXPECT_EQ(view_run(run).trimmed_visits, 0);
}

TEST(RunView, VisitsOfImpossibleTimesAreLeftOutAndCounted) {
  schema::RunFile run = small_run();
  run.visits[0].samples_ns = {0, 5, 5};
  run.visits[1].samples_ns.clear();
  run.visits[2].config = 77;
  const RunView view = view_run(run);
  EXPECT_EQ(view.excluded_visits, 2);
}

}  // namespace
}  // namespace batchscope::tables
