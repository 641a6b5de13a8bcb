#include "batchscope/analyze/gates.hpp"

#include <gtest/gtest.h>

namespace batchscope::analyze {
namespace {

schema::Outcome outcome_at(const schema::Summary& summary, schema::Severity severity) {
  return finding_gate(summary, severity).outcome;
}

TEST(Gates, AFindingOfTheSeverityCounts) {
  schema::Summary summary;
  EXPECT_EQ(outcome_at(summary, schema::Severity::info), schema::Outcome::passed);
  summary.findings.resize(1);
  summary.findings[0].severity = schema::Severity::medium;
  EXPECT_EQ(outcome_at(summary, schema::Severity::low), schema::Outcome::failed);
  EXPECT_EQ(outcome_at(summary, schema::Severity::medium), schema::Outcome::failed);
  EXPECT_EQ(outcome_at(summary, schema::Severity::high), schema::Outcome::passed);
}

TEST(Gates, WhatIsFasterThanExpectedFailsNoBuild) {
  schema::Summary summary;
  summary.findings.resize(1);
  summary.findings[0].severity = schema::Severity::high;
  summary.findings[0].evidence = {{"time", {20, std::nullopt}, "ms"},
                                  {"excess_over_law", {-0.3, std::nullopt}, "ratio"}};
  EXPECT_EQ(outcome_at(summary, schema::Severity::high), schema::Outcome::passed);
  summary.findings[0].evidence[1].estimate.value = 0.3;
  EXPECT_EQ(outcome_at(summary, schema::Severity::high), schema::Outcome::failed);
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
