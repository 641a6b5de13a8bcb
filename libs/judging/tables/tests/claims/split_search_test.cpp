#include "batchscope/tables/split_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "batchscope/stats/rng.hpp"

namespace batchscope::tables {
namespace {

// Every multiset of sizes (without `batch` itself) whose sum reaches `left`, by plain recursion.
double exhaustive(std::span<const int64_t> sizes, std::span<const double> times, int64_t batch,
                  int64_t left) {
  if (left <= 0) return 0;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == batch) continue;
    best = std::min(best, times[i] + exhaustive(sizes, times, batch, left - sizes[i]));
  }
  return best;
}

std::vector<int64_t> random_sizes(stats::Rng& rng) {
  std::vector<int64_t> sizes;
  for (int64_t size = 1; size <= 12; ++size) {
    if (rng.uniform() < 0.4) sizes.push_back(size);
  }
  if (sizes.empty()) sizes = {1, 3};
  return sizes;
}

TEST(SplitSearch, EqualsTheExhaustiveSearchOnRandomCurves) {
  stats::Rng rng(20);
  for (int round = 0; round < 300; ++round) {
    const std::vector<int64_t> sizes = random_sizes(rng);
    std::vector<double> times;
    for (std::size_t i = 0; i < sizes.size(); ++i) times.push_back(1 + 9 * rng.uniform());
    for (const int64_t batch : sizes) {
      const auto split = cheapest_split(sizes, times, batch);
      if (sizes.size() == 1) {
        EXPECT_FALSE(split);
        continue;
      }
      ASSERT_TRUE(split) << "round " << round;
      EXPECT_NEAR(split->time, exhaustive(sizes, times, batch, batch), 1e-9) << "round " << round;
    }
  }
}

TEST(SplitSearch, PartsCoverTheBatchAndCostWhatIsStated) {
  stats::Rng rng(21);
  for (int round = 0; round < 300; ++round) {
    const std::vector<int64_t> sizes = {1, 2, 3, 5, 8, 11};
    std::vector<double> times;
    for (std::size_t i = 0; i < sizes.size(); ++i) times.push_back(1 + 9 * rng.uniform());
    const auto split = cheapest_split(sizes, times, 8);
    ASSERT_TRUE(split);
    EXPECT_GE(std::accumulate(split->parts.begin(), split->parts.end(), int64_t{0}), 8);
    EXPECT_THAT(split->parts, testing::Not(testing::Contains(8)));
    double cost = 0;
    for (const int64_t part : split->parts) {
      const auto at = std::find(sizes.begin(), sizes.end(), part) - sizes.begin();
      cost += times[static_cast<std::size_t>(at)];
    }
    EXPECT_NEAR(cost, split->time, 1e-9);
  }
}

TEST(SplitSearch, FindsTwoHalves) {
  const std::vector<int64_t> sizes = {1, 2, 4, 8};
  const std::vector<double> times = {50.30, 140.09, 175.25, 504.16};
  const auto eight = cheapest_split(sizes, times, 8);
  ASSERT_TRUE(eight);
  EXPECT_THAT(eight->parts, testing::ElementsAre(4, 4));
  EXPECT_NEAR(504.16 / eight->time, 1.438, 1e-3);
  const auto two = cheapest_split(sizes, times, 2);
  ASSERT_TRUE(two);
  EXPECT_THAT(two->parts, testing::ElementsAre(1, 1));
}

TEST(SplitSearch, CombinesUnequalSizes) {
  const std::vector<int64_t> sizes = {2, 4, 8};
  const std::vector<double> times = {1.0, 2.5, 9.0};
  const auto split = cheapest_split(sizes, times, 8);
  ASSERT_TRUE(split);
  EXPECT_THAT(split->parts, testing::ElementsAre(2, 2, 2, 2));
}

TEST(SplitSearch, PadsToALargerBatch) {
  const std::vector<int64_t> sizes = {1, 3, 4};
  const std::vector<double> times = {4.0, 9.0, 5.0};
  const auto split = cheapest_split(sizes, times, 3);
  ASSERT_TRUE(split);
  EXPECT_THAT(split->parts, testing::ElementsAre(4));
}

TEST(CheapestSplit, IsNotLookedForBeyondTheLargestBatch) {
  const std::vector<int64_t> sizes{1, 2, (int64_t{1} << 31) - 1};
  const std::vector<double> times{1, 2, 3};
  EXPECT_FALSE(cheapest_split(sizes, times, sizes.back()));
  EXPECT_TRUE(cheapest_split(sizes, times, 2));
}

}  // namespace
}  // namespace batchscope::tables
