#include "batchscope/analyze/gates.hpp"

#include <gtest/gtest.h>

namespace batchscope::analyze {
namespace {

TEST(Gates, AFindingOfTheSeverityCounts) {
  schema::Summary summary;
  EXPECT_FALSE(has_finding(summary, schema::Severity::info));
  summary.findings.resize(1);
  summary.findings[0].severity = schema::Severity::medium;
  EXPECT_TRUE(has_finding(summary, schema::Severity::low));
  EXPECT_TRUE(has_finding(summary, schema::Severity::medium));
  EXPECT_FALSE(has_finding(summary, schema::Severity::high));
}

TEST(Gates, ARegressionIsSignificantAndBeyondTheLimit) {
  schema::Summary summary;
  summary.comparisons.resize(3);
  for (schema::Comparison& comparison : summary.comparisons) {
    comparison.ratio = {1.10, schema::Interval{1.05, 1.15}};
    comparison.significant = true;
    comparison.axis = "model";
  }
  summary.comparisons[1].significant = false;
  summary.comparisons[2].ratio.ci.reset();
  EXPECT_EQ(regressions(summary, 0.03).size(), 1u);
  EXPECT_TRUE(regressions(summary, 0.06).empty());
  summary.comparisons[0].axis = "precision";
  EXPECT_TRUE(regressions(summary, 0.03).empty()) << "bf16 need not be as fast as fp32";
}

TEST(Gates, PreciseMeansEveryRunReachedItsTarget) {
  schema::Summary summary;
  EXPECT_FALSE(is_precise(summary));
  summary.inputs.resize(2);
  for (schema::InputRun& input : summary.inputs) {
    input.target = 0.02;
    input.half_width = 0.01;
  }
  EXPECT_TRUE(is_precise(summary));
  summary.inputs[1].half_width = 0.03;
  EXPECT_FALSE(is_precise(summary));
  summary.inputs[1].half_width.reset();
  EXPECT_FALSE(is_precise(summary));
}

}  // namespace
}  // namespace batchscope::analyze
