#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "batchscope/report/json.hpp"
#include "testing/summaries/sample_summary.hpp"

namespace batchscope::report {
namespace {

using nlohmann::json;

TEST(SummaryJson, RowsUseTheNamesOfTheTable) {
  const json document = json::parse(to_json(findings::sample_summary()));
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
  EXPECT_EQ(row["relative_slowdown"], 1.39);
  EXPECT_EQ(row["throughput_per_s"], 20);
  EXPECT_TRUE(row["throughput_ci_high"].is_null());
  EXPECT_EQ(row["verdict"], "proven");
  EXPECT_EQ(row["group"], 0);
  EXPECT_EQ(row["phases"][0]["device_ms"], 180.5);
  EXPECT_EQ(row["memory"]["peak_rss_bytes"], 5);
  EXPECT_EQ(row["distribution"]["p50_ms"]["ci_low"], 198);
}

TEST(SummaryJson, FindingsAndRecommendationAreComplete) {
  const json document = json::parse(to_json(findings::sample_summary()));
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

TEST(SummaryJson, AGateTellsItsOutcomeWithBounds) {
  const json document = json::parse(to_json(findings::sample_summary()));
  const json& gate = document["gates"][0];
  EXPECT_EQ(gate["outcome"], "inconclusive");
  EXPECT_EQ(gate["margin"], 0.03);
  const json& check = gate["checks"][0];
  EXPECT_EQ(check["slowdown"]["at_most"], 0.05);
  EXPECT_EQ(check["smallest_shown"], 0.06);
  EXPECT_EQ(check["needed"], 30);
  EXPECT_EQ(check["config"]["batch_size"], 4);
  EXPECT_EQ(document["comparisons"][0]["slow_visits"]["other"], 2);
}

TEST(SummaryJson, NamesNoBestSizeWhereThatIsOpen) {
  findings::Summary summary = findings::sample_summary();
  EXPECT_EQ(json::parse(to_json(summary))["groups"][0]["best_sizes"], json::array({4}));
  summary.groups[0].is_open = true;
  const json document = json::parse(to_json(summary));
  EXPECT_EQ(document["groups"][0]["best_sizes"], json::array());
  EXPECT_FALSE(document["groups"][0].contains("knee"));
}

TEST(SummaryJson, NamesNoSettingWhereThatIsOpen) {
  const json document = json::parse(to_json(findings::sample_summary()));
  const json& open = document["other_recommendations"][0];
  EXPECT_EQ(open["undecided"], true);
  EXPECT_EQ(open["open_gain"]["value"], 0.04);
  EXPECT_EQ(open["blocks_needed"], 40);
  EXPECT_EQ(open["model"], findings::sample_row().config.model);
  for (const char* const field :
       {"batch_size", "threads", "instances", "precision", "throughput_per_s", "latency_ms", "gain",
        "ties", "good_sizes", "larger_sizes", "looks_best"}) {
    EXPECT_FALSE(open.contains(field)) << field;
  }
  EXPECT_FALSE(document["recommendation"].contains("open_gain"));
}

TEST(SummaryJson, AnEmptyOneIsValidAndNonFiniteIsNull) {
  EXPECT_TRUE(json::parse(to_json(findings::Summary{}))["recommendation"].is_null());
  findings::Summary summary = findings::sample_summary();
  summary.groups[0].rows[0].time_ms.value = std::nan("");
  EXPECT_TRUE(json::parse(to_json(summary))["configs"][0]["time_ms"].is_null());
}

TEST(Answer, LeadsTheDocument) {
  const auto document = json::parse(to_json(findings::sample_summary()));
  const auto& answer = document["answer"];
  EXPECT_EQ(answer["confidence"], "verified");
  EXPECT_EQ(answer["fitness"], "quiet");
  EXPECT_EQ(answer["config"]["batch_size"], 4);
  EXPECT_FALSE(answer["latency"]["p99_ms"].contains("ci_low"));
  EXPECT_EQ(answer["gain"]["against"], "batch 1");
  EXPECT_EQ(answer["lines"].size(), 6U);
}

}  // namespace
}  // namespace batchscope::report
