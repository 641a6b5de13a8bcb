#include "batchscope/tune/search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "made_table.hpp"

namespace batchscope::tune {
namespace {

double affine(double x) {
  return 5 + 2 * x;
}

Search search_over(const Replay& replay, const Goal& goal = {}, SearchOptions options = {}) {
  return Search(replay.grid(), goal, std::move(options));
}

TEST(DefaultPoints, AreAFifthAtLeastEightAndATenthOfLargeGrids) {
  EXPECT_EQ(default_points(5), 5);
  EXPECT_EQ(default_points(24), 8);
  EXPECT_EQ(default_points(100), 20);
  EXPECT_EQ(default_points(149), 29);
  EXPECT_EQ(default_points(150), 15);
}

TEST(Search, FindsTheBestOfASmoothLawWithinItsPoints) {
  Replay replay(made_table(100, affine), 0.0, 1);
  Search search = search_over(replay);
  run(search, replay);
  EXPECT_EQ(search.points_measured(), 20);
  EXPECT_EQ(search.estimates().front().point, 99U);
}

TEST(Search, MeasuresAllOfASmallGrid) {
  Replay replay(made_table(6, affine), 0.02, 1);
  Search search = search_over(replay);
  run(search, replay);
  EXPECT_EQ(search.points_measured(), 6);
}

TEST(Search, FindsASizeBehindAHump) {
  const auto humped = [](double x) { return affine(x) * (x > 8 && x <= 40 ? 1.6 : 1); };
  Replay replay(made_table(128, humped), 0.02, 3);
  Search search = search_over(replay);
  run(search, replay);
  EXPECT_GT(share_of_best(replay.table(), search.estimates().front().point, {}), 0.98);
}

TEST(Search, BisectsToTheEdgeOfAStep) {
  const auto stepped = [](double x) { return (10 + 2 * x) * (x > 77 ? 1.5 : 1); };
  Replay replay(made_table(128, stepped), 0.01, 2);
  Search search = search_over(replay);
  std::set<SearchRule> stages;
  run(search, replay, [&](const Suggestion& ask) { stages.insert(ask.stage); });
  EXPECT_GT(share_of_best(replay.table(), search.estimates().front().point, {}), 0.98);
  EXPECT_TRUE(stages.contains(SearchRule::gap));
}

TEST(Search, GivesEveryAskAReasonAndTheBestMoreVisits) {
  Replay replay(made_table(64, affine), 0.03, 5);
  Search search = search_over(replay);
  run(search, replay, [](const Suggestion& ask) { EXPECT_FALSE(ask.reason.empty()); });
  const auto estimates = search.estimates();
  EXPECT_GE(estimates.front().visits, 8);
  EXPECT_LT(estimates.back().visits, estimates.front().visits);
}

TEST(Search, LargerBatchesAreNotTriedWhereMemoryWasOut) {
  auto table = made_table(128, affine);
  for (RecordedTable& point : table) {
    if (point.config.shape.batch_size > 40) point.failure = FailureKind::out_of_memory;
  }
  Replay replay(table, 0.0, 1);
  Search search = search_over(replay);
  int64_t smallest_failed = 1000;
  run(search, replay, [&](const Suggestion& ask) {
    const int64_t size = table[ask.point].config.shape.batch_size;
    EXPECT_LT(size, smallest_failed);
    if (table[ask.point].failure) smallest_failed = size;
  });
  // 40 is the largest that runs.
  EXPECT_GT(share_of_best(table, search.estimates().front().point, {}), 0.98);
}

TEST(Search, AFailureBoundsNothingButItself) {
  auto table = made_table(64, affine);
  table[31].failure = FailureKind::other;
  Replay replay(table, 0.0, 1);
  Search search = search_over(replay);
  run(search, replay);
  EXPECT_EQ(search.estimates().front().point, 63U);
}

TEST(Search, EndsWhenEverythingFails) {
  auto table = made_table(64, affine);
  for (RecordedTable& point : table) point.failure = FailureKind::other;
  Replay replay(table, 0.0, 1);
  Search search = search_over(replay);
  run(search, replay);
  EXPECT_TRUE(search.estimates().empty());
  EXPECT_LE(search.points_measured(), search.points());
}

TEST(Search, KeepsALatencyBudget) {
  Goal goal;
  goal.latency_budget_s = 0.0651;  // batch 30 takes 65 ms
  Replay replay(made_table(128, affine), 0.0, 1);
  Search search = search_over(replay, goal);
  run(search, replay);
  const PointEstimate best = search.estimates().front();
  EXPECT_TRUE(best.feasible);
  EXPECT_LE(best.latency_s, *goal.latency_budget_s);
  EXPECT_GT(share_of_best(replay.table(), best.point, goal), 0.98);
}

TEST(Search, KeepsAMemoryLimit) {
  auto table = made_table(128, affine);
  for (RecordedTable& point : table) point.memory_bytes = 1000 + 10 * point.config.shape.batch_size;
  Goal goal;
  goal.memory_limit_bytes = 1500;
  Replay replay(table, 0.0, 1);
  Search search = search_over(replay, goal);
  run(search, replay);
  EXPECT_LE(*search.estimates().front().memory_bytes, 1500);
  EXPECT_GT(share_of_best(table, search.estimates().front().point, goal), 0.98);
}

TEST(Search, LeastLatencyIsTheSmallestBatch) {
  Goal goal;
  goal.objective = Objective::latency;
  Replay replay(made_table(64, affine), 0.0, 1);
  Search search = search_over(replay, goal);
  run(search, replay);
  EXPECT_EQ(search.estimates().front().point, 0U);
}

TEST(Search, GoesOnAsItWouldHaveWhenReportedTheSameVisits) {
  const auto table = made_table(100, affine);
  Replay replay(table, 0.03, 7);
  Search first = search_over(replay);
  Search second = search_over(replay);
  for (auto round = first.ask(); !round.empty(); round = first.ask()) {
    // The second one is as one that was resumed: it was told, and had asked for nothing.
    const auto again = second.ask();
    ASSERT_EQ(again.size(), round.size());
    for (std::size_t i = 0; i < round.size(); ++i) {
      EXPECT_EQ(again[i].point, round[i].point);
      const auto seen = std::get<Observation>(replay.visit(round[i].point));
      first.tell(round[i].point, seen);
      second.tell(round[i].point, seen);
    }
  }
}

// A visit of five iterations and half a second beside.
Observation with_wall(Observation seen) {
  seen.iterations = 5;
  seen.wall_s = 0.5 + seen.iterations * seen.mean_s;
  return seen;
}

TEST(Search, MeasuresTheBestAgainWhenLittleTimeIsLeft) {
  Replay replay(made_table(100, affine), 0.03, 7);
  Search search = search_over(replay);
  double spent_s = 0;
  for (int i = 0; i < 5; ++i) {
    const std::size_t point = search.ask().front().point;
    const auto seen = with_wall(std::get<Observation>(replay.visit(point)));
    spent_s += seen.wall_s;
    search.tell(point, seen);
  }
  for (const Suggestion& ask : search.ask(0.8 * spent_s)) EXPECT_EQ(ask.stage, SearchRule::halving);
  EXPECT_NE(search.ask(2 * spent_s).front().stage, SearchRule::halving);
  EXPECT_TRUE(search.ask(0).empty());
}

TEST(Search, EndsForLackOfTimeWithoutBeingOver) {
  Replay replay(made_table(24, affine), 0.0, 1);
  Search search = search_over(replay);
  for (const std::size_t point : {0U, 11U, 23U}) {
    auto seen = std::get<Observation>(replay.visit(point));
    seen.wall_s = 10;
    for (int visit = 0; visit < 16; ++visit) search.tell(point, seen);
  }
  EXPECT_TRUE(search.ask(5).empty()) << "a new point takes 10 s";
  EXPECT_FALSE(search.is_over());
  ASSERT_FALSE(search.ask(20).empty()) << "the best are known well enough";
  EXPECT_FALSE(search.is_over());
}

TEST(Search, EachTimeThatItHasBeginsWithNewPoints) {
  Replay replay(made_table(24, affine), 0.02, 1);
  Search search = search_over(replay);
  for (const std::size_t point : {0U, 11U, 23U}) {
    auto seen = std::get<Observation>(replay.visit(point));
    seen.wall_s = 10;
    for (int visit = 0; visit < 2; ++visit) search.tell(point, seen);
  }
  const auto asks_for_new = [&](std::optional<double> one_s) {
    return search.ask(30, one_s).front().stage != SearchRule::halving;
  };
  EXPECT_FALSE(asks_for_new({}));
  EXPECT_TRUE(asks_for_new(30));
  EXPECT_FALSE(asks_for_new(70));
}

TEST(Search, SpendsNoLargePartOfItsTimeOnOnePoint) {
  constexpr double kBudgetS = 60;
  const auto table = made_table(128, [](double x) { return 20 + 50 * x; });
  Replay replay(table, 0.01, 3);
  Search search = search_over(replay);
  double left_s = kBudgetS, dearest_s = 0;
  for (auto round = search.ask(left_s); !round.empty(); round = search.ask(left_s)) {
    for (const Suggestion& ask : round) {
      const auto seen = with_wall(std::get<Observation>(replay.visit(ask.point)));
      left_s -= seen.wall_s;
      dearest_s = std::max(dearest_s, seen.wall_s);
      search.tell(ask.point, seen);
    }
    if (left_s <= 0) break;
  }
  // One of batch 128 takes 32 s.
  EXPECT_LT(dearest_s, 0.15 * kBudgetS);
  EXPECT_GT(share_of_best(table, search.estimates().front().point, {}), 0.97);
}

TEST(Search, GoesOnWhileTimeIsLeftAndPointsPromise) {
  const auto bumpy = [](double x) { return (20 + x) * (1 + 0.06 * std::sin(1.7 * x)); };
  Replay replay(made_table(60, bumpy), 0.01, 3);
  Search search = search_over(replay);
  double left_s = 600;
  for (auto round = search.ask(left_s); !round.empty(); round = search.ask(left_s)) {
    for (const Suggestion& ask : round) {
      const auto seen = with_wall(std::get<Observation>(replay.visit(ask.point)));
      left_s -= seen.wall_s;
      search.tell(ask.point, seen);
    }
  }
  EXPECT_GT(search.points_measured(), default_points(60));
}

TEST(Search, ChecksEverySettingOfAFewFirst) {
  std::vector<RecordedTable> table;
  for (const int instances : {1, 2}) {
    for (RecordedTable point : made_table(32, affine)) {
      point.config.instances = instances;
      // Two instances do 1.8 times the work of one.
      point.mean_s = point.latency_s = point.mean_s * (instances == 2 ? 1.11 : 1);
      table.push_back(point);
    }
  }
  Replay replay(table, 0.01, 1);
  Search search = search_over(replay);
  run(search, replay);
  const auto& best = table[search.estimates().front().point].config;
  EXPECT_EQ(best.instances, 2);
}

TEST(Search, VisitsAPredictedStep) {
  SearchOptions options;
  options.cliffs = {{21, "32 MiB at batch 21"}};
  Replay replay(made_table(100, affine), 0.0, 1);
  Search search = search_over(replay, {}, options);
  bool seen = false;
  run(search, replay, [&](const Suggestion& ask) {
    seen = seen || (ask.point == 20 && ask.reason.find("32 MiB") != std::string::npos);
  });
  EXPECT_TRUE(seen);
}

// Sizes that run out of memory above 8 unless layers are computed again, which takes a third more.
std::vector<RecordedTable> checkpointed(bool any_limit) {
  std::vector<RecordedTable> table = made_table(16, affine);
  for (RecordedTable point : std::vector(table)) {
    point.config.checkpointing = true;
    point.mean_s *= 4.0 / 3;
    table.push_back(point);
  }
  for (RecordedTable& point : table) {
    const bool out = any_limit && !point.config.checkpointing && point.config.shape.batch_size > 8;
    if (out) point.failure = FailureKind::out_of_memory;
  }
  return table;
}

std::set<int64_t> sizes_checkpointed(bool any_limit) {
  Replay replay(checkpointed(any_limit), 0.0, 1);
  SearchOptions options;
  Goal goal;
  goal.points = 24;
  options.checkpoint_when_needed = true;
  Search search = search_over(replay, goal, options);
  std::set<int64_t> sizes;
  run(search, replay, [&](const Suggestion& ask) {
    const schema::RunConfig& config = search.grid()[ask.point];
    if (config.checkpointing) sizes.insert(config.shape.batch_size);
  });
  return sizes;
}

TEST(Search, ComputesLayersAgainOnlyWhereMemoryIsOutWithout) {
  EXPECT_TRUE(sizes_checkpointed(false).empty());
  const auto sizes = sizes_checkpointed(true);
  ASSERT_FALSE(sizes.empty());
  EXPECT_GT(*sizes.begin(), 8);
}

TEST(Search, DoesNotAskForWhatIsLeftOut) {
  Replay replay(made_table(32, affine), 0.0, 1);
  Search search = search_over(replay);
  for (std::size_t point = 16; point < 32; ++point) search.leave_out(point, "unlike");
  run(search, replay, [&](const Suggestion& ask) { EXPECT_LT(ask.point, 16U); });
  EXPECT_EQ(search.estimates().front().point, 15U);
}

}  // namespace
}  // namespace batchscope::tune
