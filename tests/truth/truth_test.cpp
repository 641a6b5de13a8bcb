// Every row of docs/reference/truth.md that keeps its goal as a test of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "row.hpp"

namespace batchscope::truth {
namespace {

// At most: the table is made of 1000 each; a row that breaks is off by more than the fewer here
// cannot see.
constexpr int kExperiments = 400;

class Truth : public testing::TestWithParam<std::size_t> {};

TEST_P(Truth, RateKeepsItsGoal) {
  const std::vector<Row> rows = all_rows();
  const Row& row = rows[GetParam()];
  const uint64_t first_seed = 1 + kExperiments * static_cast<uint64_t>(GetParam());
  const Outcome outcome = run_until_clear(row, kExperiments, first_seed);
  const std::string reported = fmt::format(
      "{}: {}: {:.1f} % of {} (99 % interval {:.1f} to {:.1f} %), goal {}, seeds from {}",
      row.topic, row.what, 100 * outcome.rate(), outcome.experiments, 100 * outcome.interval.low,
      100 * outcome.interval.high, describe(row.goal), first_seed);
  fmt::print("{}\n", reported);
  EXPECT_TRUE(passes(row.goal, outcome)) << reported;
}

std::vector<std::size_t> tested_rows() {
  const std::vector<Row> rows = all_rows();
  std::vector<std::size_t> tested;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].tested) tested.push_back(i);
  }
  return tested;
}

INSTANTIATE_TEST_SUITE_P(Row, Truth, testing::ValuesIn(tested_rows()));

// The rates of the rest are judged by ./dev truth alone; here they are at least whole experiments.
TEST(TruthRows, ThatAreNotTestedHereCanBeRun) {
  for (const Row& row : all_rows()) {
    if (row.tested) continue;
    EXPECT_EQ(run(row, 1, 1).experiments, 1) << row.what;
  }
}

TEST(TruthCriterion, EndsEarlyOnlyWhereTheRateIsWithinItsGoal) {
  const auto experiments = [](const Goal& goal, int one_of) {
    const auto holds = [one_of](uint64_t seed) {
      return seed % static_cast<uint64_t>(one_of) == 0;
    };
    return run_until_clear({"", "", goal, holds}, 400, 1).experiments;
  };
  EXPECT_EQ(experiments({std::nullopt, 0.05}, 1000), 150);  // 0 of 150: 3.5 % at most
  EXPECT_EQ(experiments({std::nullopt, 0.05}, 20), 400);
  EXPECT_EQ(experiments({std::nullopt, 0.05}, 10), 400);
  EXPECT_EQ(experiments({0.95, std::nullopt}, 1), 150);
  EXPECT_EQ(experiments({0.95, 0.98}, 1), 400);
}

TEST(TruthCriterion, SeparatesGoodRatesFromBadOnes) {
  const Goal five{std::nullopt, 0.05};
  const auto with = [](int held) {
    int left = held;
    return run({"", "", {}, [left](uint64_t) mutable { return left-- > 0; }}, 1000, 1);
  };
  EXPECT_TRUE(passes(five, with(60)));
  EXPECT_FALSE(passes(five, with(80)));
  const Goal most{0.95, std::nullopt};
  EXPECT_TRUE(passes(most, with(940)));
  EXPECT_FALSE(passes(most, with(920)));
}

}  // namespace
}  // namespace batchscope::truth
