#include "batchscope/tune/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/csv/import_csv.hpp"
#include "made_table.hpp"

namespace batchscope::tune {
namespace {

schema::RunFile imported(const std::string& text) {
  auto run = csv::import_csv(text, "table", {});
  EXPECT_TRUE(run);
  return *std::move(run);
}

TEST(RecordedPoints, AreTheRowsOfATableWithTheirRepeatsTogether) {
  const auto table = recorded_points(
      imported("batch,latency(us),memory(B)\n1,1000,500\n2,1500,600\n2,6000,700\n"), {});
  ASSERT_TRUE(table);
  ASSERT_EQ(table->size(), 2U);
  EXPECT_NEAR((*table)[0].mean_s, 1e-3, 1e-12);
  EXPECT_NEAR((*table)[1].mean_s, 3e-3, 1e-12);  // geometric mean
  EXPECT_EQ((*table)[1].memory_bytes, 700);
}

TEST(RecordedPoints, OfDifferentWorkAreRefused) {
  const auto table = recorded_points(imported("batch,latency_ms,seq_len\n1,10,64\n1,20,128\n"), {});
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().kind, base::ErrorKind::input);
  EXPECT_NE(table.error().what.find("different work"), std::string::npos);
}

TEST(RecordedPoints, OfNothingAreAnEmptyGrid) {
  const auto table = recorded_points({}, {});
  ASSERT_FALSE(table);
  EXPECT_NE(table.error().what.find("no measurements"), std::string::npos);
}

TEST(RecordedPoints, RememberWhatRanOutOfMemory) {
  schema::RunFile run = imported("batch,latency_ms\n1,10\n2,20\n");
  run.visits.pop_back();
  schema::Event event;
  event.kind = schema::EventKind::out_of_memory;
  event.where.config = 1;
  run.events.push_back(event);
  const auto table = recorded_points(run, {});
  ASSERT_TRUE(table);
  EXPECT_EQ((*table)[1].failure, FailureKind::out_of_memory);
}

TEST(RecordedPoints, OfExperimentsAreNothingToChoose) {
  schema::RunFile run = imported("batch,latency_ms\n1,10\n2,20\n");
  run.visits[1].purpose = schema::Purpose::intervention;
  run.configs[1].environment = {{"GLIBC_TUNABLES", "x"}};
  schema::Event event;
  event.kind = schema::EventKind::crash;
  event.where.config = 1;
  run.events.push_back(event);
  const auto table = recorded_points(run, {});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->size(), 1U);
}

TEST(RecordedPoints, RememberWhatFailedUnderAnEnvironmentThatWasAskedFor) {
  schema::RunFile run = imported("batch,latency_ms\n1,10\n2,20\n");
  run.configs[1].environment = {{"MALLOC_ARENA_MAX", "1"}};
  run.visits.pop_back();
  run.header.configurations = 2;
  schema::Event event;
  event.kind = schema::EventKind::crash;
  event.where.config = 1;
  run.events.push_back(event);
  const auto table = recorded_points(run, {});
  ASSERT_TRUE(table);
  ASSERT_EQ(table->size(), 2U);
  EXPECT_TRUE((*table)[1].failure);
}

TEST(RecordedPoints, OfMeansHaveNoQuantilesToBound) {
  schema::RunFile run = imported("batch,latency_ms\n1,10\n2,20\n");
  run.visits[1].iterations_per_sample = 4;
  Goal goal;
  EXPECT_TRUE(recorded_points(run, goal));
  goal.latency_budget_s = 0.1;
  const auto table = recorded_points(run, goal);
  ASSERT_FALSE(table);
  EXPECT_NE(table.error().fix.find("mean"), std::string::npos);
  goal.latency_of = LatencyStatistic::mean;
  EXPECT_TRUE(recorded_points(run, goal));
}

TEST(Replay, NoiseFollowsTheSeed) {
  const auto table = made_table(4, [](double x) { return x; });
  Replay one(table, 0.03, 1), same(table, 0.03, 1), other(table, 0.03, 2), still(table, 0.0, 1);
  const auto time = [](Replay& replay) { return std::get<Observation>(replay.visit(1)).mean_s; };
  const double first = time(one);
  EXPECT_DOUBLE_EQ(first, time(same));
  EXPECT_NE(first, time(other));
  EXPECT_NE(first, time(one));
  EXPECT_DOUBLE_EQ(time(still), 2e-3);
}

TEST(ShareOfBest, IsOfThoseThatKeepTheBounds) {
  const auto table = made_table(4, [](double x) { return 1 + x; });
  Goal goal;
  EXPECT_DOUBLE_EQ(share_of_best(table, 3, goal), 1.0);
  goal.latency_budget_s = 4.5e-3;
  EXPECT_DOUBLE_EQ(share_of_best(table, 3, goal), 0.0);
  EXPECT_DOUBLE_EQ(share_of_best(table, 2, goal), 1.0);
  goal.latency_budget_s = 1e-3;
  EXPECT_TRUE(std::isnan(share_of_best(table, 2, goal)));
}

}  // namespace
}  // namespace batchscope::tune
