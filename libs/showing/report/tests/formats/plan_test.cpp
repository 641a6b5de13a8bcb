#include "batchscope/report/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace batchscope::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

planning::CapacityPlan sample() {
  planning::CapacityPlan plan;
  plan.config.model = "distilbert\x1b[31m";
  plan.rate_per_s = 40;
  plan.p99_ms = 500;
  plan.arrivals = "poisson";
  plan.policies.push_back({.policy = "take-all",
                           .settings = "max_batch 8",
                           .meets = true,
                           .p50_ms = findings::Estimate{80, stats::Interval{78, 82}},
                           .p99_ms = findings::Estimate{310, stats::Interval{300, 320}},
                           .throughput_per_s = 39.9,
                           .utilisation = 0.66,
                           .mean_batch = 3.2,
                           .capacity_per_s = 61,
                           .instances_needed = 1});
  plan.policies.push_back({.policy = "fixed-timeout",
                           .settings = "max_batch 2",
                           .overloaded = true,
                           .capacity_per_s = 31});
  plan.recommended = 0;
  plan.message = "Use take-all.";
  plan.warnings = {"Mind this."};
  return plan;
}

TEST(PlanJson, HasWhatIsUsedAndNullForWhatIsNotKnown) {
  const auto made = nlohmann::json::parse(plan_json(sample()));
  EXPECT_EQ(made["feasible"], true);
  EXPECT_EQ(made["recommended"]["policy"], "take-all");
  EXPECT_EQ(made["recommended"]["p99_ci_high_ms"], 320);
  EXPECT_TRUE(made["policies"][1]["p99_ms"].is_null());
}

TEST(PlanText, HasARowAPolicyAndLeavesOutWhatCannotBeStated) {
  const std::string printed = plan_text(sample());
  EXPECT_THAT(printed, HasSubstr("40 requests per second, poisson"));
  EXPECT_THAT(printed, HasSubstr("310"));
  EXPECT_THAT(printed, HasSubstr("overloaded"));
  EXPECT_THAT(printed, HasSubstr("max_batch 2"));
  EXPECT_THAT(printed, HasSubstr("Use take-all."));
  EXPECT_THAT(printed, HasSubstr("Mind this."));
  EXPECT_THAT(printed, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace batchscope::report
