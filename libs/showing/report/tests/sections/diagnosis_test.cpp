#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "approval/approval.hpp"
#include "batchscope/report/markdown.hpp"
#include "batchscope/report/text.hpp"
#include "page/html_charts.hpp"
#include "sections/diagnosis_section.hpp"
#include "tables/operations_table.hpp"
#include "testing/summaries/diagnosed.hpp"
#include "testing/summaries/fixtures.hpp"
#include "testing/summaries/hostile_texts.hpp"

namespace batchscope::report {
namespace {

using document::Cell;
using document::TextTable;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> values(const std::vector<Cell>& row) {
  std::vector<std::string> texts;
  for (const Cell& cell : row) {
    texts.push_back(cell.value + (cell.interval.empty() ? "" : " " + cell.interval));
  }
  return texts;
}

TEST(Diagnosis, OperationsArePerSampleWithTheirCalls) {
  const findings::Summary summary = fixtures::diagnosed();
  const findings::Diagnostics& all = *summary.groups.front().diagnostics;
  const TextTable table = operations_table(all.operations, all.sizes);
  EXPECT_EQ(table.columns[2].second, "ms per sample");
  EXPECT_THAT(values(table.rows[0]),
              ElementsAre("aten::copy_", "operator", "0.400 ×12", "0.425 ×12", "3.60 ×12", "11 %",
                          "a sample takes 9.00 times as long at batch 8 as at 1"));
  const TextTable primitives = operations_table(all.primitives, all.sizes);
  EXPECT_THAT(values(primitives.rows[0]), ElementsAre("brgemm:avx512_core", "matmul", "–", "–",
                                                      "28.8 ×36", "80 %", "only at batch 8"));
}

TEST(Diagnosis, SmallTimesAreInMicroseconds) {
  std::vector<findings::SizeDiagnosis> sizes(1);
  sizes.front().batch_size = 2;
  const TextTable table =
      operations_table({{"op", "operator", {findings::OperationCost{0.5, 0.02}}, 0}}, sizes);
  EXPECT_EQ(table.columns[2].second, "µs per sample");
  EXPECT_EQ(table.rows[0][2].value, "10.0");
  EXPECT_EQ(table.rows[0][2].interval, "×0.500");
}

TEST(Diagnosis, AReportSaysWhatTheNumbersAreNot) {
  const std::string report = markdown_report(fixtures::diagnosed(), {});
  EXPECT_THAT(report, HasSubstr("do not affect the scaling tables"));
  EXPECT_THAT(report, HasSubstr("takes 1.20 times as long as undisturbed"));
  EXPECT_THAT(report, HasSubstr("counters: perf\\_event\\_paranoid is 3"));
  EXPECT_THAT(report, HasSubstr("brgemm:avx512\\_core (matmul) runs at batch 8 only."));
  EXPECT_THAT(report, HasSubstr("| 8 | 292.00 | 350.40 | 31250 |"));
  EXPECT_THAT(markdown_report(fixtures::one_group(), {}), Not(HasSubstr("## Operators")));
}

TEST(Diagnosis, Approved) {
  approval::expect_approved("diagnosed.txt", text(fixtures::diagnosed()));
  approval::expect_approved("diagnosed_report.md.txt", markdown_report(fixtures::diagnosed(), {}));
}

TEST(Diagnosis, ATerminalShowsTheFewThatChange) {
  const std::string shown = text(fixtures::diagnosed());
  EXPECT_THAT(shown, HasSubstr("Operations that change most between batch sizes"));
  EXPECT_THAT(shown, HasSubstr("aten::copy_"));
  EXPECT_THAT(shown, Not(HasSubstr("flash_attention")));
}

TEST(Diagnosis, TheChartHasTheLargestChanges) {
  const Json charts = html_charts(fixtures::diagnosed(), {});
  const auto chart = std::find_if(charts.begin(), charts.end(),
                                  [](const Json& one) { return one.at("id") == "operations"; });
  ASSERT_NE(chart, charts.end());
  EXPECT_EQ(chart->at("series").size(), 3U);
  EXPECT_EQ(chart->at("series").at(0).at("name"), "aten::copy_");
  EXPECT_EQ(chart->at("series").at(0).at("points").at(2).at("value").get<double>(), 3.6);
}

TEST(Diagnosis, HostileOperatorsAddNoMarkdown) {
  for (const std::string& name : fixtures::hostile_texts()) {
    const std::string report = markdown_report(fixtures::diagnosed_with({name}), {});
    EXPECT_THAT(report, Not(HasSubstr("<script"))) << name;
    EXPECT_THAT(report, Not(HasSubstr("<img"))) << name;
  }
}

}  // namespace
}  // namespace batchscope::report
