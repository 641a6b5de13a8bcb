#include "comparisons/slow_visits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/compare/comparison_words.hpp"
#include "compared_runs.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::compare {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using testing::HasSubstr;

TEST(SlowVisits, CountsWhatIsFarOverTheMedian) {
  const std::vector<double> logs{0, 0.01, -0.01, 0.005, 0.4, 0, -0.4, 0.01, 0.35};
  EXPECT_EQ(count_slow(logs), 2) << "fast ones do not count";
  const std::vector<double> calm{0, 0.001, 0.002, 0.001, 0.04};
  EXPECT_EQ(count_slow(calm), 0) << "4 % over is no mode of its own";
  EXPECT_EQ(count_slow({}), 0);
}

TEST(SlowVisits, CountsTwoModesUpToHalfOfTheVisits) {
  const std::vector<double> logs{0,     0.01, -0.01, 0.005, 0.002, -0.003,
                                 0.008, 0.3,  0.31,  0.32,  0.3,   0.29};
  EXPECT_EQ(count_slow(logs), 5);
}

schema::RunFile with_slow(int slow) {
  auto configs = batch_sizes({4});
  configs.push_back(configs.front());
  configs.back().model = "b";
  schema::RunFile run = make_run({configs, affine(), 12, 3, {0.01, 0, 0.01, 0, 1}, 3});
  for (schema::Visit& visit : run.visits) {
    if (visit.config != 1 || visit.block >= slow) continue;
    for (int64_t& sample : visit.samples_ns) sample *= 2;
  }
  return run;
}

TEST(SlowVisits, AComparisonThatTheyDecideSaysSo) {
  const schema::RunFile run = with_slow(2);
  const Compared compared = compared_run(run);
  const findings::Comparison& comparison = compared.comparisons.front();
  ASSERT_TRUE(comparison.slow_visits);
  EXPECT_EQ(comparison.slow_visits->base, 0);
  EXPECT_EQ(comparison.slow_visits->other, 2);
  EXPECT_EQ(comparison.slow_visits->other_visits, 12);
  EXPECT_NEAR(comparison.slow_visits->mean_ratio, std::exp2(2.0 / 12), 0.03);
  EXPECT_THAT(comparison.message, HasSubstr("2 of 12 visits of b are in a slow mode"));
  EXPECT_THAT(comparisons_in_short(compared.comparisons),
              testing::Contains(HasSubstr("in a slow mode")))
      << "also where no significant difference";
}

TEST(SlowVisits, NothingIsStatedWhereTheMeansAgree) {
  const schema::RunFile run = with_slow(0);
  EXPECT_FALSE(compared_run(run).comparisons.front().slow_visits);
}

}  // namespace
}  // namespace batchscope::compare
