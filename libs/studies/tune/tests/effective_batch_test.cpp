#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/tune/replay.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {
namespace {

constexpr int64_t kEffective = 720;  // 30 sizes divide it

double batch_s(int64_t size) {
  const auto b = static_cast<double>(size);
  return 1e-3 * (20 + 2 * b) * (1 + std::max(0.0, b - 90) / 200);
}

// Every way to train on 720 samples a step.
std::vector<RecordedTable> ways() {
  std::vector<RecordedTable> table;
  for (int64_t size = 1; size <= kEffective; ++size) {
    if (kEffective % size != 0) continue;
    RecordedTable way;
    way.config.model = "law";
    way.config.engine = "synthetic";
    way.config.mode = schema::Mode::train;
    way.config.shape.batch_size = size;
    way.config.accumulation = kEffective / size;
    way.mean_s = way.typical_s = way.latency_s =
        static_cast<double>(way.config.accumulation) * batch_s(size);
    table.push_back(way);
  }
  return table;
}

std::size_t way_with(const std::vector<schema::RunConfig>& grid, int64_t size) {
  std::size_t at = 0;
  while (grid[at].shape.batch_size != size) ++at;
  return at;
}

TEST(EffectiveBatch, SizesAreOneSettingWhicheverAccumulationTheyNeed) {
  constexpr int kSearches = 100;
  int good = 0;
  for (uint64_t seed = 1; seed <= kSearches; ++seed) {
    Replay replay(ways(), 0.03, seed);
    Search search(replay.grid(), {});
    run(search, replay);
    const SearchOutcome outcome = outcome_of(search);
    EXPECT_LE(outcome.points_measured, 8);
    good += share_of_best(ways(), *outcome.pick, {}) >= 0.98;
  }
  EXPECT_GE(good, 95);
}

TEST(EffectiveBatch, MemoryThatIsOutIsOutForLargerSizes) {
  const auto grid = Replay(ways(), 0, 1).grid();
  Search search(grid, {});
  search.tell(way_with(grid, 16), FailureKind::out_of_memory);
  EXPECT_FALSE(search.may_be_tried(way_with(grid, 24)));
  EXPECT_TRUE(search.may_be_tried(way_with(grid, 12)));
}

TEST(EffectiveBatch, TheDefaultIsTheCurrentSize) {
  const auto grid = Replay(ways(), 0, 1).grid();
  EXPECT_EQ(default_point(grid, 16), way_with(grid, 16));
  EXPECT_EQ(default_point(grid, std::nullopt), way_with(grid, 1));
}

TEST(EffectiveBatch, AccumulationThatIsAChoiceIsASetting) {
  auto grid = Replay(ways(), 0, 1).grid();
  schema::RunConfig other = grid[way_with(grid, 16)];
  other.accumulation = 1;
  grid.push_back(other);
  Search search(grid, {});
  search.tell(grid.size() - 1, FailureKind::out_of_memory);
  EXPECT_TRUE(search.may_be_tried(way_with(grid, 24)));
}

TEST(EffectiveBatch, WhatWaitsForANeedOfCheckpointingMayBeTriedAllTheSame) {
  std::vector<schema::RunConfig> grid(2);
  grid[0].mode = grid[1].mode = schema::Mode::train;
  grid[1].checkpointing = true;
  SearchOptions options;
  options.checkpoint_when_needed = true;
  Search search(grid, {}, options);
  EXPECT_TRUE(search.may_be_tried(1));
  search.tell(1, Observation{0.1, 0.1, std::nullopt});
  EXPECT_FALSE(search.may_be_tried(1));
}

}  // namespace
}  // namespace batchscope::tune
