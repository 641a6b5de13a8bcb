#include "batchscope/compare/summary_gates.hpp"

#include <gtest/gtest.h>

namespace batchscope::compare {
namespace {

findings::Outcome outcome_at(const findings::Summary& summary, findings::Severity severity) {
  return finding_gate(summary, severity).outcome;
}

TEST(SummaryGates, AFindingOfTheSeverityCounts) {
  findings::Summary summary;
  EXPECT_EQ(outcome_at(summary, findings::Severity::info), findings::Outcome::passed);
  summary.findings.resize(1);
  summary.findings[0].severity = findings::Severity::medium;
  EXPECT_EQ(outcome_at(summary, findings::Severity::low), findings::Outcome::failed);
  EXPECT_EQ(outcome_at(summary, findings::Severity::medium), findings::Outcome::failed);
  EXPECT_EQ(outcome_at(summary, findings::Severity::high), findings::Outcome::passed);
}

TEST(SummaryGates, WhatIsFasterThanExpectedFailsNoBuild) {
  findings::Summary summary;
  summary.findings.resize(1);
  summary.findings[0].severity = findings::Severity::high;
  summary.findings[0].evidence = {{"time", {20, std::nullopt}, "ms"},
                                  {"excess_over_law", {-0.3, std::nullopt}, "ratio"}};
  EXPECT_EQ(outcome_at(summary, findings::Severity::high), findings::Outcome::passed);
  summary.findings[0].evidence[1].estimate.value = 0.3;
  EXPECT_EQ(outcome_at(summary, findings::Severity::high), findings::Outcome::failed);
}

TEST(SummaryGates, FindingsThatCountAreTheChecks) {
  findings::Summary summary;
  summary.findings.resize(2);
  summary.findings[0].severity = findings::Severity::high;
  summary.findings[0].id = "scaling.departure";
  summary.findings[0].batch_sizes = {4};
  const findings::Gate gate = finding_gate(summary, findings::Severity::low);
  EXPECT_EQ(gate.outcome, findings::Outcome::failed);
  ASSERT_EQ(gate.checks.size(), 1u);
  EXPECT_EQ(gate.checks[0].name, "scaling.departure: batch 4");
  EXPECT_EQ(finding_gate({}, findings::Severity::low).checks.size(), 1u)
      << "that it passed is told";
}

TEST(SummaryGates, PreciseMeansEveryRunReachedItsTarget) {
  findings::Summary summary;
  EXPECT_FALSE(reached_target(summary));
  summary.inputs.resize(2);
  for (findings::InputRun& input : summary.inputs) {
    input.target = 0.02;
    input.half_width = 0.01;
  }
  EXPECT_TRUE(reached_target(summary));
  summary.inputs[1].half_width = 0.03;
  EXPECT_FALSE(reached_target(summary));
  EXPECT_EQ(width_gate(summary).checks[0].outcome, findings::Outcome::passed);
  EXPECT_EQ(width_gate(summary).checks[1].outcome, findings::Outcome::failed);
  summary.inputs[1].half_width.reset();
  EXPECT_FALSE(reached_target(summary));
}

}  // namespace
}  // namespace batchscope::compare
