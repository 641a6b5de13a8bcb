#include "batchscope/measure/estimate.hpp"

#include <gtest/gtest.h>

#include "fake_executor.hpp"

namespace batchscope::measure {
namespace {

TEST(Estimate, WithoutAProbeIsBetweenItsBounds) {
  const schema::MeasurementPlan plan;
  const TimeEstimate estimate = estimate_time(plan, 4, 1.0);
  EXPECT_EQ(estimate.visits, 48);
  EXPECT_DOUBLE_EQ(estimate.at_least_s, 12);
  EXPECT_LE(estimate.at_least_s, estimate.likely_s);
  EXPECT_LE(estimate.likely_s, estimate.at_most_s);
  EXPECT_DOUBLE_EQ(estimate.at_most_s, 600);
  EXPECT_FALSE(estimate.basis.empty());
}

TEST(Estimate, IsNeverBeyondTheBudget) {
  schema::MeasurementPlan plan;
  plan.budget_s = 5;
  const TimeEstimate estimate = estimate_time(plan, 100);
  EXPECT_DOUBLE_EQ(estimate.likely_s, 5);
}

TEST(Estimate, AProbeSaysWhatAVisitTakes) {
  schema::MeasurementPlan plan;
  plan.blocks = 10;
  plan.blocks_fixed = true;
  schema::RunFile probe;
  probe.visits = {visit_of({}, {1, 1, 1}), visit_of({}, {1, 1, 1})};
  EXPECT_DOUBLE_EQ(estimate_time(plan, 4, probe).likely_s, 40);
}

}  // namespace
}  // namespace batchscope::measure
