#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "batchscope/schema/summary.hpp"
#include "sample_run.hpp"

namespace batchscope::schema {
namespace {

using nlohmann::json;

Summary sample_summary() {
  ConfigRow row;
  row.config = sample_config();
  row.time_ms = {200, Interval{190, 210}};
  row.per_sample_ms = {50, Interval{47.5, 52.5}};
  row.throughput_per_s = {20, std::nullopt};
  row.expected_ms = 201.2;
  row.efficiency = Estimate{1.006, Interval{0.9, 1.1}};
  row.jump = Estimate{0.625, std::nullopt};
  row.n = 12;
  row.n_iterations = 240;
  row.phases = {{"forward", 190, 180.5, 0.95}, {"other", 10, std::nullopt, 0.05}};
  row.memory.peak_rss_bytes = 5;
  row.distribution.p50_ms = Estimate{199, Interval{198, 200}};
  row.verdict = Verdict::proven;
  Group group;
  group.key = without_batch_size(row.config);
  group.label = "distilbert";
  group.rows = {row};
  group.best_sizes = {4};
  group.knee = 4;
  group.law = LawFit{"affine", "1 ms", {1, 2}, 0.01, 4};
  Finding finding;
  finding.id = "scaling.dominated";
  finding.severity = Severity::high;
  finding.status = Status::proven;
  finding.where = row.config;
  finding.batch_sizes = {4};
  finding.evidence = {{"relative_slowdown", {1.39, Interval{1.3, 1.5}}, "ratio"}};
  finding.p_value = 0.001;
  finding.gain = Interval{0.1, 0.2};
  finding.gain_unit = "ratio";
  Summary summary;
  summary.groups = {group};
  summary.findings = {finding};
  summary.warnings = {"noisy \xFF"};
  Recommendation recommendation;
  recommendation.config = row.config;
  recommendation.gain = Estimate{0.12, std::nullopt};
  recommendation.gain_against = "batch_size 1";
  summary.recommendation = recommendation;
  return summary;
}

TEST(SummaryJson, RowsUseTheNamesOfTheTable) {
  const json document = json::parse(to_json(sample_summary()));
  EXPECT_EQ(document["schema_version"], 1);
  ASSERT_EQ(document["configs"].size(), 1U);
  const json& row = document["configs"][0];
  EXPECT_EQ(row["batch_size"], 4);
  EXPECT_EQ(row["time_ms"], 200);
  EXPECT_EQ(row["time_ci_low_ms"], 190);
  EXPECT_EQ(row["per_sample_ci_high_ms"], 52.5);
  EXPECT_EQ(row["efficiency_ci_low"], 0.9);
  EXPECT_EQ(row["jump_ratio"], 0.625);
  EXPECT_TRUE(row["jump_ci_low"].is_null());
  EXPECT_TRUE(row["relative_slowdown"].is_null());
  EXPECT_EQ(row["throughput_per_s"], 20);
  EXPECT_TRUE(row["throughput_ci_high"].is_null());
  EXPECT_EQ(row["verdict"], "proven");
  EXPECT_EQ(row["group"], 0);
  EXPECT_EQ(row["phases"][0]["device_ms"], 180.5);
  EXPECT_EQ(row["memory"]["peak_rss_bytes"], 5);
  EXPECT_EQ(row["distribution"]["p50_ms"]["ci_low"], 198);
}

TEST(SummaryJson, FindingsAndRecommendationAreComplete) {
  const json document = json::parse(to_json(sample_summary()));
  const json& finding = document["findings"][0];
  EXPECT_EQ(finding["id"], "scaling.dominated");
  EXPECT_EQ(finding["severity"], "high");
  EXPECT_EQ(finding["status"], "proven");
  EXPECT_EQ(finding["where"]["batch_size"], 4);
  EXPECT_EQ(finding["where"]["batch_sizes"], json::array({4}));
  EXPECT_EQ(finding["evidence"][0]["metric"], "relative_slowdown");
  EXPECT_EQ(finding["evidence"][0]["ci_high"], 1.5);
  EXPECT_EQ(finding["evidence"][0]["unit"], "ratio");
  EXPECT_EQ(finding["gain"]["unit"], "ratio");
  const json& recommendation = document["recommendation"];
  EXPECT_EQ(recommendation["batch_size"], 4);
  EXPECT_EQ(recommendation["gain"]["value"], 0.12);
  EXPECT_EQ(recommendation["gain"]["against"], "batch_size 1");
  EXPECT_EQ(document["groups"][0]["knee"], 4);
  EXPECT_EQ(document["groups"][0]["law"]["kind"], "affine");
}

TEST(SummaryJson, AnEmptyOneIsValidAndNonFiniteIsNull) {
  EXPECT_TRUE(json::parse(to_json({}))["recommendation"].is_null());
  Summary summary = sample_summary();
  summary.groups[0].rows[0].time_ms.value = std::nan("");
  EXPECT_TRUE(json::parse(to_json(summary))["configs"][0]["time_ms"].is_null());
}

}  // namespace
}  // namespace batchscope::schema
