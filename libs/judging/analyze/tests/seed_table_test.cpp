// The table this project began with: one number a batch size, imported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/csv/import_csv.hpp"

namespace batchscope::analyze {
namespace {

using findings::Status;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

class SeedTable : public testing::Test {
 protected:
  void SetUp() override {
    auto run = csv::import_csv("batch_size,time_ms\n1,50.30\n2,140.09\n4,175.25\n8,504.16\n",
                               "seed.csv", {});
    ASSERT_TRUE(run);
    run_ = *run;
    summary_ = analyze(std::span(&run_, 1));
    ASSERT_EQ(summary_.groups.size(), 1u);
  }

  const std::vector<findings::ConfigRow>& rows() const { return summary_.groups[0].rows; }
  const findings::Finding* find(const std::string& id, int64_t size) const {
    for (const findings::Finding& finding : summary_.findings) {
      if (finding.id == id && finding.batch_sizes == std::vector{size}) return &finding;
    }
    return nullptr;
  }
  double evidence(const findings::Finding& finding, const std::string& metric) const {
    for (const findings::Evidence& evidence : finding.evidence) {
      if (evidence.metric == metric) return evidence.estimate.value;
    }
    return 0;
  }

  schema::RunFile run_;
  findings::Summary summary_;
};

TEST_F(SeedTable, TheScalingTableIsTheSeedsOwn) {
  const double per_sample[] = {50.30, 70.045, 43.8125, 63.02};
  const double expected[] = {50.30, 100.60, 201.20, 402.40};
  const double efficiency[] = {1.00, 0.72, 1.15, 0.80};
  ASSERT_EQ(rows().size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(rows()[i].per_sample_ms.value, per_sample[i], 1e-6);
    EXPECT_NEAR(rows()[i].expected_ms.value_or(0), expected[i], 1e-6);
    ASSERT_TRUE(rows()[i].efficiency);
    EXPECT_NEAR(rows()[i].efficiency->value, efficiency[i], 0.005);
  }
  EXPECT_EQ(rows()[0].time_ms.value, 50.30);
  EXPECT_FALSE(rows()[0].jump);
  EXPECT_NEAR(rows()[3].jump->value, 1.44, 0.005);
  EXPECT_NEAR(rows()[1].relative_slowdown->value, 1.39, 0.005);
}

TEST_F(SeedTable, NothingHasAnInterval) {
  for (const findings::ConfigRow& row : rows()) {
    EXPECT_FALSE(row.time_ms.ci);
    EXPECT_FALSE(row.efficiency->ci);
    EXPECT_EQ(row.n, 1);
  }
}

TEST_F(SeedTable, EverythingIsSuspectAtMost) {
  EXPECT_FALSE(summary_.findings.empty());
  EXPECT_THAT(summary_.findings, Each(Field(&findings::Finding::status, Status::suspect)));
  EXPECT_THAT(summary_.findings,
              Each(Field(&findings::Finding::severity, findings::Severity::info)));
  for (const findings::ConfigRow& row : rows()) EXPECT_NE(row.verdict, findings::Verdict::proven);
  EXPECT_EQ(rows()[3].verdict, findings::Verdict::suspect);
  EXPECT_EQ(rows()[0].verdict, findings::Verdict::untestable);
}

TEST_F(SeedTable, SplitsDominateTwoAndEight) {
  const auto* two = find("scaling.dominated", 2);
  const auto* eight = find("scaling.dominated", 8);
  ASSERT_TRUE(two && eight);
  EXPECT_NEAR(evidence(*two, "excess_over_split"), 0.39, 0.005);
  EXPECT_NEAR(evidence(*eight, "excess_over_split"), 0.44, 0.005);
  EXPECT_THAT(eight->what, HasSubstr("4 + 4"));
}

TEST_F(SeedTable, BatchFourIsAPositiveAnomalyAndBest) {
  const auto* four = find("scaling.departure", 4);
  ASSERT_TRUE(four);
  EXPECT_LT(evidence(*four, "excess_over_neighbours"), 0);
  EXPECT_THAT(four->what, HasSubstr("better, "));
  ASSERT_EQ(summary_.recommendations.size(), 1U);
  EXPECT_EQ(summary_.recommendations.front().config.shape.batch_size, 4);
  EXPECT_FALSE(summary_.recommendations.front().verified);
  EXPECT_THAT(summary_.groups[0].best_sizes, ElementsAre(4));
}

TEST_F(SeedTable, SaysThatDifferencesCannotBeTested) {
  EXPECT_THAT(summary_.warnings, testing::Contains(HasSubstr("No repeats: without them")));
  EXPECT_THAT(summary_.words,
              testing::Contains(HasSubstr("Batch 2 takes 39 % longer per sample than batch 1")));
}

TEST_F(SeedTable, ProposesTheSizesInBetween) {
  EXPECT_THAT(summary_.groups[0].suggested_controls, ElementsAre(3, 6));
  EXPECT_EQ(summary_.groups[0].departure_verdict, "no law fits");
}

findings::Summary analysed(const char* text) {
  const auto run = csv::import_csv(text, "told.csv", {});
  EXPECT_TRUE(run);
  return analyze(std::span(&*run, 1));
}

// 1 ms over 9 repeats: a standard error of 1/3 ms; Student's t of 8 degrees of freedom at 95 %.
TEST(ReportedSpread, MakesTheIntervalsOfMeans) {
  const auto summary =
      analysed("batch,latency_ms,std_ms,repeats\n1,10,1,9\n2,19,1,9\n4,40,0,9\n8,80,1,1\n");
  const auto& rows = summary.groups[0].rows;
  ASSERT_TRUE(rows[0].time_ms.ci);
  EXPECT_NEAR(rows[0].time_ms.ci->high, 10 + 2.306 / 3, 1e-3);
  EXPECT_NEAR(rows[0].time_ms.ci->low, 10 - 2.306 / 3, 1e-3);
  EXPECT_TRUE(rows[0].throughput_per_s.ci);
  ASSERT_TRUE(rows[1].relative_slowdown && rows[1].relative_slowdown->ci);
  // ln: 1/30 and 1/57 are the relative errors, which Welch's method joins.
  EXPECT_NEAR(std::log(rows[1].relative_slowdown->ci->high / 0.95), 0.0814, 2e-3);
  EXPECT_TRUE(rows[2].time_ms.ci);
  EXPECT_FALSE(rows[3].time_ms.ci);  // one repeat has no spread
}

TEST(ReportedSpread, ProvesNothing) {
  const auto summary = analysed(
      "batch,latency_ms,std_ms,repeats\n1,10,0.01,1000\n2,19,0.01,1000\n3,80,0.01,1000\n"
      "4,38,0.01,1000\n6,57,0.01,1000\n8,76,0.01,1000\n");
  EXPECT_THAT(summary.findings, Each(Field(&findings::Finding::status, Status::suspect)));
  EXPECT_THAT(summary.warnings, testing::Contains(HasSubstr("not independent")));
}

// The rows of a table that repeats its configurations tell more than what it says of each.
TEST(ReportedSpread, GivesWayToRowsThatRepeat) {
  const auto summary =
      analysed("batch,latency_ms,std_ms,repeats\n1,10,5,9\n2,19,5,9\n1,10.1,5,9\n2,19.1,5,9\n");
  EXPECT_LT(summary.groups[0].rows[0].time_ms.ci->high, 11);
}

}  // namespace
}  // namespace batchscope::analyze
