#include "batchscope/tune/outcome.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_table.hpp"

namespace batchscope::tune {
namespace {

PointEstimate at(double rate, double latency_s, std::optional<int64_t> memory = std::nullopt) {
  PointEstimate made;
  made.rate = rate;
  made.latency_s = latency_s;
  made.memory_bytes = memory;
  return made;
}

SearchOutcome searched(const Goal& goal) {
  Replay replay(made_table(32, [](double x) { return 10 + x; }), 0.0, 1);
  Search search(replay.grid(), goal);
  run(search, replay);
  return outcome_of(search);
}

TEST(Front, HoldsWhatNothingBeatsInBoth) {
  const auto front = latency_front({at(10, 3), at(5, 1), at(4, 2), at(10, 4), at(7, 2)});
  ASSERT_EQ(front.size(), 3U);
  EXPECT_DOUBLE_EQ(front[0].rate, 5);
  EXPECT_DOUBLE_EQ(front[1].rate, 7);
  EXPECT_DOUBLE_EQ(front[2].latency_s, 3);
}

TEST(Front, OfMemoryLeavesOutWhatIsNotKnown) {
  EXPECT_EQ(memory_front({at(10, 1), at(5, 1, 100)}).size(), 1U);
}

TEST(SearchOutcome, SaysWhatToUse) {
  const SearchOutcome outcome = searched({});
  ASSERT_TRUE(outcome.pick);
  EXPECT_EQ(outcome.grid[*outcome.pick].shape.batch_size, 32);
  EXPECT_NE(outcome.message.find("Use batch 32, fp32, cpu, 1 thread, synthetic"),
            std::string::npos);
  EXPECT_NE(outcome.message.find("not verified"), std::string::npos);
  EXPECT_EQ(outcome.points_total, 32);
  EXPECT_EQ(outcome.points_measured, 8);
  ASSERT_TRUE(outcome.runner_up);
  EXPECT_NE(outcome.runner_up, outcome.pick);
}

TEST(SearchOutcome, OfEqualsTakesTheSmallestBatch) {
  // 0.1 ms + 10 ms a sample: batch 2 is within 0.5 % of the best, 1 is not.
  Replay replay(made_table(8, [](double x) { return 0.1 + 10 * x; }), 0.0, 1);
  Search search(replay.grid(), {});
  run(search, replay);
  const SearchOutcome outcome = outcome_of(search);
  EXPECT_EQ(search.estimates().front().point, 7U);
  EXPECT_EQ(outcome.grid[*outcome.pick].shape.batch_size, 2);
}

TEST(SearchOutcome, NamesTheBoundThatBindsAndByHowMuch) {
  Goal goal;
  goal.latency_budget_s = 5.5e-3;  // batch 1 takes 11 ms
  const SearchOutcome outcome = searched(goal);
  EXPECT_FALSE(outcome.feasible);
  EXPECT_NE(outcome.message.find("The latency budget is 5.50 ms"), std::string::npos)
      << outcome.message;
  EXPECT_NE(outcome.message.find("batch 1,"), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find("100 % more"), std::string::npos) << outcome.message;
}

TEST(SearchOutcome, SaysByHowMuchABoundIsHardlyMissed) {
  Goal goal;
  goal.latency_budget_s = 10.97e-3;  // batch 1 takes 11 ms
  const SearchOutcome outcome = searched(goal);
  EXPECT_NE(outcome.message.find("(p50), 0.3 % more"), std::string::npos) << outcome.message;
}

TEST(SearchOutcome, SaysWhenBoundsCanBeKeptOneByOneOnly) {
  // The fastest takes the most memory.
  auto table = made_table(8, [](double x) { return 10 + x; });
  for (RecordedTable& point : table)
    point.memory_bytes = (20 - point.config.shape.batch_size) << 20;
  Goal goal;
  goal.latency_budget_s = 12e-3;
  goal.memory_limit_bytes = 15 << 20;
  Replay replay(std::move(table), 0.0, 1);
  Search search(replay.grid(), goal);
  run(search, replay);
  const SearchOutcome outcome = outcome_of(search);
  EXPECT_FALSE(outcome.feasible);
  EXPECT_NE(outcome.message.find("but not both"), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find(
                "the fastest setting (batch 1, fp32, cpu, 1 thread, synthetic) uses 19.0 "
                "MiB, 27 % more"),
            std::string::npos)
      << outcome.message;
  EXPECT_NE(outcome.message.find("takes 18.0 ms (p50), 50 % more"), std::string::npos)
      << outcome.message;
}

TEST(SearchOutcome, NeverPicksWhatIsLeftOut) {
  Replay replay(made_table(8, [](double x) { return 10 + x; }), 0.0, 1);
  Search search(replay.grid(), {});
  run(search, replay);
  search.leave_out(7, "it computes something else");
  const SearchOutcome outcome = outcome_of(search);
  EXPECT_EQ(outcome.grid[*outcome.pick].shape.batch_size, 7);
  EXPECT_EQ(outcome.left_out.at("it computes something else"), 1);
  EXPECT_EQ(search.estimates().back().point, 7U);
  for (const PointEstimate& each : outcome.latency_front) EXPECT_NE(each.point, 7U);
}

TEST(SettingWords, NameWhatIsToBeSet) {
  schema::RunConfig config;
  config.engine = "torch";
  config.shape.batch_size = 8;
  config.accumulation = 4;
  config.checkpointing = true;
  EXPECT_EQ(setting_words(config),
            "batch 8, 4 batches per step, fp32, cpu, 1 thread, checkpointing, torch");
  config.environment = {{"MALLOC_ARENA_MAX", "1"}};
  EXPECT_THAT(setting_words(config), testing::EndsWith(", torch, MALLOC_ARENA_MAX=1"));
}

TEST(SearchOutcome, TimesAStepWhereBatchesAreAccumulated) {
  auto table = made_table(8, [](double x) { return 10 + x; });
  for (RecordedTable& point : table) point.config.accumulation = 2;
  Replay replay(std::move(table), 0.0, 1);
  Search search(replay.grid(), {});
  run(search, replay);
  EXPECT_NE(outcome_of(search).message.find("at 18.0 ms per step."), std::string::npos)
      << outcome_of(search).message;
}

TEST(SearchOutcome, TellsTheCost) {
  Goal goal;
  goal.objective = Objective::cost;
  goal.price_per_hour = 3.6;
  EXPECT_NE(searched(goal).message.find("per million samples"), std::string::npos);
}

}  // namespace
}  // namespace batchscope::tune
