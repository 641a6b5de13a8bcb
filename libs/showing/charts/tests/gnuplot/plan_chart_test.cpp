#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "batchscope/base/file.hpp"
#include "batchscope/base/subprocess.hpp"
#include "batchscope/charts/plan_charts.hpp"

namespace batchscope::charts {
namespace {

using ::testing::HasSubstr;

planning::CapacityPlan planned() {
  planning::CapacityPlan plan;
  plan.config.model = "distilbert\x1b[31m";
  plan.rate_per_s = 40;
  plan.p99_ms = 500;
  plan.arrivals = "poisson";
  plan.recommended = 0;
  plan.curves = {{"take-all", {{10, 60, 100}, {40, 80, 310}, {60, {}, {}}}},
                 {"fixed-timeout", {{10, 70, 120}}}};
  return plan;
}

TEST(PlanChart, IsDrawnAndNeedsCurves) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("batchscope_plan_" + std::to_string(::getpid()));
  planning::CapacityPlan plan = planned();
  if (base::find_program("gnuplot")) {
    const auto files = write_plan_charts(plan, folder);
    ASSERT_TRUE(files) << base::to_string(files.error());
    ASSERT_EQ(files->size(), 2u);
    const auto svg = base::read_file((*files)[1]);
    ASSERT_TRUE(svg);
    EXPECT_THAT(*svg, HasSubstr("take-all (recommended)"));
    EXPECT_THAT(*svg, HasSubstr("requests per second"));
  }
  plan.curves.clear();
  EXPECT_FALSE(write_plan_charts(plan, folder));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace batchscope::charts
