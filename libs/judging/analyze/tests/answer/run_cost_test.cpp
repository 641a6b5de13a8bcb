#include "answer/run_cost.hpp"

#include <gtest/gtest.h>

#include "testing/runs/fake_run.hpp"

namespace batchscope::analyze {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using tables::quiet;

constexpr int64_t kSecond = 1'000'000'000;

// Visits of 1 s and 2 s, of which nothing but 1 ms is timed.
schema::RunFile of_seconds(int blocks) {
  schema::RunFile run = make_run({batch_sizes({1, 4}), affine(), blocks, 1, quiet(), 1});
  for (schema::Visit& visit : run.visits) {
    visit.wall_ns = visit.config == 0 ? kSecond : 2 * kSecond;
    visit.samples_ns = {kSecond / 1000};
  }
  return run;
}

TEST(RunCost, IsWhatVisitsCostTimesTheBlocks) {
  const RunCost cost = cost_again(of_seconds(3), 10, 0);
  EXPECT_NEAR(cost.main_s, 30, 1e-9);
  EXPECT_NEAR(cost.all_s, 30, 1e-9);
  EXPECT_NEAR(cost_again(of_seconds(3), 10, 5.001).main_s, 30 + 2 * 10 * 5, 1e-9);
}

TEST(RunCost, OfWhatWasNotReachedGrowsWithItsBatch) {
  schema::RunFile run = of_seconds(3);
  run.configs.push_back(run.configs.back());
  run.configs.back().shape.batch_size = 8;
  EXPECT_NEAR(cost_again(run, 10, 0).main_s, 30 + 10 * 4, 1e-9);
}

TEST(RunCost, HoldsWhatADiagnosisMeasures) {
  schema::RunFile run = of_seconds(3);
  const auto measured = run.visits;
  for (schema::Visit visit : measured) {
    visit.purpose = schema::Purpose::verify;
    run.visits.push_back(visit);
  }
  const RunCost cost = cost_again(run, 10, 0);
  EXPECT_NEAR(cost.main_s, 30, 1e-9);
  EXPECT_NEAR(cost.all_s, 30 + 9, 1e-9);
  EXPECT_NEAR(cost_again(run, 10, 1.001).all_s, 50 + 15, 1e-9) << "its visits are longer too";
}

TEST(RunCost, OfASearchIsItWithItsComparison) {
  schema::RunFile run = of_seconds(3);
  run.header.origin = schema::Origin::tune;
  for (schema::Visit& visit : run.visits) {
    if (visit.block == 2) visit.purpose = schema::Purpose::verify;
  }
  EXPECT_NEAR(cost_again(run, 10, 0).all_s, 6 + 10 * 3, 1e-9);
}

TEST(RunCost, OfNothingIsNothing) {
  EXPECT_EQ(cost_again({}, 10, 0).all_s, 0);
}

}  // namespace
}  // namespace batchscope::analyze
