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

TEST(Gates, WhatIsFasterThanExpectedFailsNoBuild) {
  schema::Summary summary;
  summary.findings.resize(1);
  summary.findings[0].severity = schema::Severity::high;
  summary.findings[0].evidence = {{"time", {20, std::nullopt}, "ms"},
                                  {"excess_over_law", {-0.3, std::nullopt}, "ratio"}};
  EXPECT_FALSE(has_finding(summary, schema::Severity::high));
  EXPECT_EQ(finding_gate(summary, schema::Severity::high).outcome, schema::Outcome::passed);
  summary.findings[0].evidence[1].estimate.value = 0.3;
  EXPECT_TRUE(has_finding(summary, schema::Severity::high));
}

TEST(Gates, FindingsThatCountAreTheChecks) {
  schema::Summary summary;
  summary.findings.resize(2);
  summary.findings[0].severity = schema::Severity::high;
  summary.findings[0].id = "scaling.departure";
  summary.findings[0].batch_sizes = {4};
  const schema::Gate gate = finding_gate(summary, schema::Severity::low);
  EXPECT_EQ(gate.outcome, schema::Outcome::failed);
  ASSERT_EQ(gate.checks.size(), 1u);
  EXPECT_EQ(gate.checks[0].name, "scaling.departure: batch 4");
  EXPECT_EQ(finding_gate({}, schema::Severity::low).checks.size(), 1u) << "that it passed is told";
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
  EXPECT_EQ(precision_gate(summary).checks[0].outcome, schema::Outcome::passed);
  EXPECT_EQ(precision_gate(summary).checks[1].outcome, schema::Outcome::failed);
  summary.inputs[1].half_width.reset();
  EXPECT_FALSE(is_precise(summary));
}

}  // namespace
}  // namespace batchscope::analyze
