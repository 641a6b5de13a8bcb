#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/report/versions.hpp"

namespace batchscope::report {
namespace {

using document::Extent;
using findings::VersionVerdict;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

findings::VersionRow version_row(const char* where, VersionVerdict verdict, double ratio) {
  findings::VersionRow row;
  row.where = where;
  row.old_name = "old.pt";
  row.new_name = "new.pt";
  row.verdict = verdict;
  row.old_ms = 10;
  row.new_ms = 10 * ratio;
  row.ratio = findings::Estimate{ratio, stats::Interval{ratio - 0.01, ratio + 0.01}};
  row.detectable = 0.035;
  row.n = 12;
  row.message = "new.pt takes what it takes.";
  return row;
}

findings::VersionComparison sample_versions() {
  findings::VersionComparison made;
  made.old_name = "old.pt";
  made.new_name = "new.pt";
  made.verdict = VersionVerdict::slower;
  made.message = "new.pt is slower than old.pt.";
  made.margin = 0.02;
  made.detectable = 0.035;
  made.unit = "pairs of visits";
  made.rows = {version_row("batch 1", VersionVerdict::slower, 1.1),
               version_row("batch 4", VersionVerdict::equal, 1.001)};
  return made;
}

TEST(VersionText, BeginsWithTheAnswer) {
  const std::string text = version_text(sample_versions());
  EXPECT_THAT(text, StartsWith("new.pt is slower than old.pt.\n"));
  EXPECT_THAT(text, HasSubstr("+10 % [+9.0 %, +11 %]"));
  EXPECT_THAT(text, HasSubstr("slower"));
  EXPECT_THAT(text, HasSubstr("equal within 2 %"));
  EXPECT_THAT(text, HasSubstr("A slowdown of 3.5 % is found in 80 % of such runs"));
  EXPECT_THAT(text, Not(HasSubstr("version")));
}

TEST(VersionText, InBriefIsTheAnswerAlone) {
  auto made = sample_versions();
  EXPECT_EQ(version_text(made, {.extent = Extent::answer}), "new.pt is slower than old.pt.\n");
  made.advice = "Measure more pairs.";
  EXPECT_EQ(version_text(made, {.extent = Extent::answer}),
            "new.pt is slower than old.pt.\nMeasure more pairs.\n");
}

TEST(VersionText, SeveralNewOnesAreNamed) {
  auto several = sample_versions();
  several.rows.back().new_name = "third.pt";
  EXPECT_THAT(version_text(several), HasSubstr("third.pt"));
}

TEST(VersionText, WhatIsAbsentIsADash) {
  auto open = sample_versions();
  open.rows.resize(1);
  open.rows[0].ratio.reset();
  open.rows[0].new_ms.reset();
  open.rows[0].detectable.reset();
  open.detectable.reset();
  const std::string text = version_text(open);
  EXPECT_THAT(text, HasSubstr("–"));
  EXPECT_THAT(text, Not(HasSubstr("80 % power")));
}

TEST(VersionMarkdown, FoldsDetailsAndEscapesNames) {
  auto made = sample_versions();
  made.message = "<b>evil</b> | is slower";
  made.rows[0].message = "</details><script>";
  const std::string text = version_markdown(made);
  EXPECT_THAT(text, StartsWith("## Slower\n\n&lt;b&gt;evil"));
  EXPECT_THAT(text, HasSubstr("<details>\n<summary>"));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_LT(text.find("| batch 1 "), text.find("<details>"));
  EXPECT_THAT(text, ::testing::EndsWith("</details>\n"));
}

}  // namespace
}  // namespace batchscope::report
