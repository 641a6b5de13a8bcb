#include "batchscope/findings/by_group.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace batchscope::findings {
namespace {

using schema::Precision;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Group group_of(Precision precision, const char* table) {
  schema::RunConfig config;
  config.model = "m";
  config.precision = precision;
  Group group;
  group.key = schema::without_batch_size(config);
  group.table = table;
  group.label = std::string("table ") + table;
  return group;
}

Finding at_batch_4(const Group& group) {
  schema::RunConfig config = group.key;
  config.shape.batch_size = 4;
  Finding finding;
  finding.where = config;
  finding.table = group.table;
  return finding;
}

TEST(ByGroup, FindingsAreOfTheTableWithTheirConfiguration) {
  Summary summary;
  summary.groups = {group_of(Precision::fp32, "a"), group_of(Precision::bf16, "b")};
  summary.findings = {at_batch_4(summary.groups[1])};
  EXPECT_THAT(findings_of(summary.groups[0], summary), IsEmpty());
  EXPECT_THAT(findings_of(summary.groups[1], summary), SizeIs(1));
  EXPECT_THAT(findings_elsewhere(summary), IsEmpty());
  EXPECT_EQ(label_of(summary.findings[0], summary.groups), "b");
}

TEST(ByGroup, WhereTwoTablesAreAlikeNeitherHasTheFinding) {
  Summary summary;
  summary.groups = {group_of(Precision::fp32, "monday"), group_of(Precision::fp32, "friday")};
  summary.findings = {at_batch_4(summary.groups[1])};
  EXPECT_THAT(findings_of(summary.groups[1], summary), IsEmpty());
  EXPECT_THAT(findings_elsewhere(summary), SizeIs(1));
  EXPECT_EQ(label_of(summary.findings[0], summary.groups), "friday");
  summary.findings[0].table.clear();
  EXPECT_EQ(label_of(summary.findings[0], summary.groups), "");
}

TEST(ByGroup, OutsideARunBelongToNoTable) {
  Summary summary;
  summary.groups = {group_of(Precision::fp32, "a")};
  Finding waits;
  waits.where = TraceStep{3, 120};
  summary.findings = {waits, at_batch_4(summary.groups[0])};
  EXPECT_TRUE(is_outside_a_run(summary.findings[0]));
  EXPECT_FALSE(is_outside_a_run(summary.findings[1]));
  EXPECT_THAT(findings_of(summary.groups.front(), summary), SizeIs(1));
  EXPECT_THAT(findings_elsewhere(summary), SizeIs(1));
}

TEST(RowOf, IsInWhicheverTableHasTheConfiguration) {
  Summary summary;
  summary.groups = {group_of(Precision::fp32, "a"), group_of(Precision::bf16, "b")};
  summary.groups[1].rows.emplace_back().config = summary.groups[1].key;
  EXPECT_EQ(row_of(summary.groups[1].key, summary), &summary.groups[1].rows[0]);
  EXPECT_EQ(row_of(summary.groups[0].key, summary), nullptr);
}

}  // namespace
}  // namespace batchscope::findings
