#include "batchscope/report/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "batchscope/base/file.hpp"
#include "batchscope/base/subprocess.hpp"

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
  plan.curves = {{"take-all", {{10, 60, 100}, {40, 80, 310}, {60, {}, {}}}},
                 {"fixed-timeout", {{10, 70, 120}}}};
  return plan;
}

TEST(PlanText, HasARowAPolicyAndLeavesOutWhatCannotBeSaid) {
  const std::string said = plan_text(sample());
  EXPECT_THAT(said, HasSubstr("40 requests a second, poisson"));
  EXPECT_THAT(said, HasSubstr("310"));
  EXPECT_THAT(said, HasSubstr("overloaded"));
  EXPECT_THAT(said, HasSubstr("max_batch 2"));
  EXPECT_THAT(said, HasSubstr("Use take-all."));
  EXPECT_THAT(said, HasSubstr("Mind this."));
  EXPECT_THAT(said, Not(HasSubstr("\x1b")));
}

TEST(PlanChart, IsDrawnAndNeedsCurves) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("batchscope_plan_" + std::to_string(::getpid()));
  planning::CapacityPlan plan = sample();
  if (base::find_program("gnuplot")) {
    const auto files = write_plan_charts(plan, folder);
    ASSERT_TRUE(files) << base::to_string(files.error());
    ASSERT_EQ(files->size(), 2u);
    const auto svg = base::read_file((*files)[1]);
    ASSERT_TRUE(svg);
    EXPECT_THAT(*svg, HasSubstr("take-all (recommended)"));
    EXPECT_THAT(*svg, HasSubstr("requests a second"));
  }
  plan.curves.clear();
  EXPECT_FALSE(write_plan_charts(plan, folder));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace batchscope::report
