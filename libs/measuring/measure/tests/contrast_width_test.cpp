#include "session/contrast_width.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/stats/mean_estimate.hpp"
#include "fake_executor.hpp"
#include "session/history.hpp"

namespace batchscope::measure {
namespace {

schema::Visit visit(int config, int block, int64_t time_ns, int attempt = 0) {
  VisitRequest request;
  request.config = config;
  request.block = block;
  request.attempt = attempt;
  return visit_of(request, std::vector<int64_t>(4, time_ns));
}

schema::RunFile run_of(const std::vector<int64_t>& batch_sizes) {
  schema::RunFile run;
  run.configs = job_of(batch_sizes).configs;
  return run;
}

TEST(ContrastWidths, ArePairedWithinBlocks) {
  schema::RunFile run = run_of({2, 1});
  std::vector<double> differences;
  for (int block = 0; block < 8; ++block) {
    const int64_t base = 1'000'000 + 300'000 * block;  // drifts, which pairing removes
    const int64_t other = base + 1000 * (block % 3);
    run.visits.push_back(visit(1, block, base));
    run.visits.push_back(visit(0, block, other));
    differences.push_back(std::log(static_cast<double>(other) / static_cast<double>(base)));
  }
  const auto found = contrast_widths(run, {0, 1}, 8);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].config, 0) << "against the smallest batch size";
  EXPECT_EQ(found[0].n, 8);
  const auto expected = stats::mean_interval(differences, 0.95, stats::Method::student_t);
  EXPECT_NEAR(found[0].half_width, 0.5 * (expected->high - expected->low), 1e-12);
  EXPECT_EQ(contrast_widths(run, {0, 1}, 5)[0].n, 5) << "of the first blocks";
}

TEST(ContrastWidths, AMissingVisitDropsItsPairOnly) {
  schema::RunFile run = run_of({1, 2});
  for (int block = 0; block < 8; ++block) {
    run.visits.push_back(visit(0, block, 1'000'000 + block));
    if (block != 3) run.visits.push_back(visit(1, block, 2'000'000));
  }
  EXPECT_EQ(contrast_widths(run, {0, 1}, 8)[0].n, 7);
}

TEST(ContrastWidths, OneSizeAloneIsJudgedByItsOwnTime) {
  schema::RunFile run = run_of({4});
  for (int block = 0; block < 8; ++block) run.visits.push_back(visit(0, block, 1'000'000 + block));
  const auto found = contrast_widths(run, {0}, 8);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(std::isfinite(found[0].half_width));
}

TEST(ContrastWidths, SupersededAttemptsDoNotCount) {
  schema::RunFile run = run_of({1});
  run.visits.push_back(visit(0, 0, 5'000'000));
  run.visits.push_back(visit(0, 0, 1'000'000, 1));
  run.visits.push_back(visit(0, 1, 1'000'000));
  EXPECT_NEAR(estimates(run, {0})[0].time_ms.value, 1.0, 1e-9);
}

TEST(ContrastWidths, DiagnosticVisitsGiveNoTimes) {
  schema::RunFile run = run_of({1});
  run.visits.push_back(visit(0, 0, 1'000'000));
  run.visits.push_back(visit(0, 1, 5'000'000));
  run.visits.back().purpose = schema::Purpose::diagnostic;
  EXPECT_EQ(estimates(run, {0})[0].n, 1);
}

TEST(BlocksNeeded, FollowsTheSquareOfTheHalfWidth) {
  EXPECT_EQ(blocks_needed({{0, 12, 0.01}}, 12, 0.02), 12);
  EXPECT_EQ(blocks_needed({{0, 12, 0.03}, {1, 12, 0.04}}, 12, 0.02), 48);
  EXPECT_EQ(blocks_needed({{0, 1, INFINITY}}, 12, 0.02), 12);
}

TEST(History, KnowsTheFirstBlockThatIsNotComplete) {
  schema::RunFile run = run_of({1, 2});
  EXPECT_EQ(history_of(run).next_block, 0);
  EXPECT_EQ(history_of(run).next_attempt, 0);
  run.visits = {visit(0, 0, 1), visit(1, 0, 1), visit(1, 1, 1)};
  const History history = history_of(run);
  EXPECT_EQ(history.next_block, 1);
  EXPECT_EQ(history.next_attempt, 1);
  EXPECT_EQ(history.spent_ns, 3'000'000'000);
  run.visits.push_back(visit(0, 1, 1, 1));
  EXPECT_EQ(history_of(run).next_attempt, 2) << "attempt 1 lacks a visit, too";
}

TEST(History, AFailureCompletesItsVisit) {
  schema::RunFile run = run_of({1, 2});
  run.visits = {visit(0, 0, 1)};
  schema::Event event;
  event.kind = schema::EventKind::timeout;
  event.where.config = 1;
  event.where.block = 0;
  run.events.push_back(event);
  const History history = history_of(run);
  EXPECT_EQ(history.next_block, 1);
  EXPECT_EQ(history.failures[1], 1);
}

TEST(History, KnowsThatAStageWasBegun) {
  schema::RunFile run = run_of({1, 2});
  run.visits = {visit(0, 0, 1), visit(1, 0, 1), visit(0, 1, 1), visit(1, 1, 1)};
  EXPECT_FALSE(history_of(run).stage_begun);
  run.configs.push_back(run.configs[0]);
  const History history = history_of(run);
  EXPECT_TRUE(history.stage_begun);
  EXPECT_EQ(history.main, (std::vector<int>{0, 1}));
}

TEST(History, IterationTimeIsThatOfWarmupAndSeries) {
  VisitRequest request;
  schema::Visit series = visit_of(request, {10, 10, 10}, {7});
  series.iterations_per_sample = 5;
  schema::RunFile run;
  run.visits = {series};
  EXPECT_EQ(iteration_ns(run), 157);
}

}  // namespace
}  // namespace batchscope::measure
