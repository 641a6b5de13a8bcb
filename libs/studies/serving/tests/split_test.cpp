#include "batchscope/serving/split.hpp"

#include <algorithm>
#include <numeric>

#include "batchscope/stats/rng.hpp"
#include "testing/serving/tables.hpp"

namespace batchscope::serving {
namespace {

double cost_of(std::span<const int64_t> lengths, std::span<const int64_t> split,
               const BatchCost& cost) {
  double total = 0;
  std::size_t end = 0;
  for (const int64_t size : split) {
    end += static_cast<std::size_t>(size);
    total += cost(size, lengths[end - 1]);
  }
  EXPECT_EQ(end, lengths.size());
  return total;
}

bool allowed(const std::vector<int64_t>& sizes, int64_t size) {
  return sizes.empty() || size < sizes.front() ||
         std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

// Every way to cut n requests, by the bits of a number.
double brute_force(std::span<const int64_t> lengths, const BatchCost& cost,
                   const std::vector<int64_t>& sizes, const Limits& limits) {
  const std::size_t n = lengths.size();
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t cuts = 0; cuts < (std::size_t{1} << (n - 1)); ++cuts) {
    double total = 0;
    int64_t size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      ++size;
      if (i + 1 < n && (cuts >> i & 1) == 0) continue;
      const bool fits = allowed(sizes, size) && limits.allow(size, lengths[i]);
      total += fits ? cost(size, lengths[i]) : std::numeric_limits<double>::infinity();
      size = 0;
    }
    best = std::min(best, total);
  }
  return best;
}

class RandomSplit : public testing::TestWithParam<uint64_t> {};

// Costs without any order, so that no shortcut through convexity could pass.
TEST_P(RandomSplit, CostsNoMoreThanEveryOtherWayToCut) {
  stats::Rng rng(GetParam());
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<std::size_t>(1 + rng.below(11));
    std::vector<int64_t> lengths(n);
    for (int64_t& length : lengths) length = static_cast<int64_t>(1 + rng.below(60));
    std::sort(lengths.begin(), lengths.end());
    std::vector<double> factor(n + 1);
    for (double& f : factor) f = 0.2 + rng.uniform();
    const BatchCost cost = [&](int64_t count, int64_t longest) {
      return factor[static_cast<std::size_t>(count)] * (5 + static_cast<double>(count * longest));
    };
    const Limits limits{.max_batch = static_cast<int64_t>(1 + rng.below(12)),
                        .max_tokens = static_cast<int64_t>(20 + rng.below(600))};
    const auto split = optimal_split(lengths, cost, {}, limits);
    EXPECT_NEAR(cost_of(lengths, split, cost), brute_force(lengths, cost, {}, limits), 1e-9);
    const std::vector<int64_t> sizes{1, 2, 5};
    const auto rounded = optimal_split(lengths, cost, sizes, limits);
    EXPECT_NEAR(cost_of(lengths, rounded, cost), brute_force(lengths, cost, sizes, limits), 1e-9);
    for (const int64_t size : rounded) EXPECT_TRUE(allowed(sizes, size));
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomSplit, ::testing::Values(1, 2, 3, 4, 5));

// The seed's own table: 8 loses to 4 + 4, and 2 to 1 + 1.
TEST(OptimalSplit, NeverFormsADominatedSize) {
  const auto table = *CostTable::from_points({{.batch_size = 1, .times_s = {0.05030}},
                                              {.batch_size = 2, .times_s = {0.14009}},
                                              {.batch_size = 4, .times_s = {0.17525}},
                                              {.batch_size = 8, .times_s = {0.50416}}},
                                             "seed");
  const BatchCosts costs(table, 8);
  const auto cost = [&](int64_t count, int64_t longest) { return costs(count, longest); };
  const std::vector<int64_t> measured{1, 2, 4, 8};
  EXPECT_THAT(optimal_split(8, cost, measured), ElementsAre(4, 4));
  EXPECT_THAT(optimal_split(2, cost, measured), ElementsAre(1, 1));
  EXPECT_THAT(optimal_split(7, cost, measured), ElementsAre(4, 1, 1, 1));
}

// Taking the batch named, then that of what is left, and so on, is the optimal split.
TEST(OptimalSplit, OneBatchOfEachLeadsToAllOfThem) {
  const BatchCost cost = [](int64_t count, int64_t) {
    return std::vector<double>{0, 5, 9, 10, 18, 17, 25, 30, 31}[static_cast<std::size_t>(count)];
  };
  const std::vector<int64_t> sizes{1, 2, 3, 5, 8};
  const auto batches = optimal_batches(20, cost, sizes);
  ASSERT_EQ(batches.size(), 20u);
  for (int64_t n = 1; n <= 20; ++n) {
    std::vector<int64_t> split;
    for (int64_t left = n; left > 0; left -= split.back()) {
      split.push_back(batches[static_cast<std::size_t>(left - 1)]);
    }
    std::sort(split.begin(), split.end(), std::greater<>());
    EXPECT_EQ(split, optimal_split(n, cost, sizes));
  }
}

TEST(OptimalSplit, OfEqualCostsMakesTheFewestCalls) {
  const BatchCost same = [](int64_t count, int64_t) { return static_cast<double>(count); };
  EXPECT_THAT(optimal_split(8, same), ElementsAre(8));
  const std::vector<int64_t> sizes{1, 2, 4};
  EXPECT_THAT(optimal_split(8, same, sizes), ElementsAre(4, 4));
}

TEST(OptimalSplit, SeparatesShortFromLong) {
  const BatchCost tokens = [](int64_t count, int64_t longest) {
    return 10 + static_cast<double>(count * longest);
  };
  EXPECT_THAT(optimal_split(std::vector<int64_t>{4, 4, 4, 100, 100}, tokens), ElementsAre(3, 2));
  // A call that costs more than the padding saves.
  const BatchCost dear = [](int64_t count, int64_t longest) {
    return 1000 + static_cast<double>(count * longest);
  };
  EXPECT_THAT(optimal_split(std::vector<int64_t>{4, 4, 4, 100, 100}, dear), ElementsAre(5));
}

TEST(OptimalSplit, TooFewForAnySizeStayTogetherAndOneTooLongGoesAlone) {
  const BatchCost linear = [](int64_t count, int64_t) { return 1 + static_cast<double>(count); };
  const std::vector<int64_t> sizes{4, 8};
  EXPECT_THAT(optimal_split(3, linear, sizes), ElementsAre(3));
  EXPECT_THAT(optimal_split(14, linear, sizes), ElementsAre(8, 4, 2));
  EXPECT_THAT(optimal_split(std::vector<int64_t>{500}, linear, {}, {.max_tokens = 10}),
              ElementsAre(1));
  EXPECT_THAT(optimal_split(0, linear), IsEmpty());
}

}  // namespace
}  // namespace batchscope::serving
