#include <gmock/gmock.h>

#include "batchscope/report/markdown.hpp"
#include "sections/causes_section.hpp"
#include "testing/summaries/diagnosed.hpp"
#include "testing/summaries/fixtures.hpp"

namespace batchscope::report {
namespace {

using document::Document;
using document::Item;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> titles(const Document& document) {
  std::vector<std::string> found;
  for (const document::Block& block : document) {
    if (const auto* heading = std::get_if<document::Heading>(&block))
      found.push_back(heading->text);
  }
  return found;
}

const Item& first_item(const Document& document) {
  return std::get<document::List>(document.at(2)).items.front();
}

std::string field(const Item& item, const std::string& label) {
  for (const document::KeyValue& one : item.fields) {
    if (one.label == label) return (one.code ? "code: " : "") + one.text;
  }
  return "";
}

TEST(Causes, ConfirmedOnesComeFirstAndRuledOutOnesLast) {
  EXPECT_THAT(titles(causes_section(fixtures::diagnosed(), {}, {})),
              ElementsAre("Confirmed", "Suspected", "Ruled out"));
}

TEST(Causes, AnItemHasItsEvidenceItsEffectAndWhatToSet) {
  const Document document = causes_section(fixtures::diagnosed(), {}, {});
  const Item& item = first_item(document);
  EXPECT_THAT(item.lead.front().text, HasSubstr("At batch 8 the C library"));
  EXPECT_EQ(field(item, "evidence"), "page faults 31250 an iteration; time in the kernel 10 %");
  EXPECT_EQ(field(item, "effect"), "time saved 12 % [10 %, 14 %]; p = 0.0004");
  EXPECT_EQ(field(item, "explains"), "why this batch size is slow (scaling.dominated)");
  EXPECT_EQ(field(item, "set"), "code: export GLIBC_TUNABLES=glibc.malloc.mmap_max=0");
}

TEST(Causes, ASlowSizeThatNothingExplainsIsListed) {
  findings::Summary summary = fixtures::diagnosed();
  std::erase_if(summary.findings, [](const auto& one) { return one.id == "cause.heap-returned"; });
  summary.findings.front().cause = "unexplained";
  const Document document = causes_section(summary, {}, {});
  EXPECT_THAT(titles(document), ElementsAre("Unexplained"));
  EXPECT_THAT(first_item(document).lead.front().text, HasSubstr("Batch 8 takes 12 % longer"));
}

TEST(Causes, WhereNobodyLookedTheReportHasTheCommand) {
  std::vector<schema::RunFile> runs(1);
  const auto shown = [&](const findings::Commands& commands) {
    return markdown_report(fixtures::one_group(), runs, {.commands = commands});
  };
  EXPECT_THAT(shown(fixtures::commands()),
              HasSubstr("## Causes\n\nThe causes of the slow sizes are unknown."));
  EXPECT_THAT(shown(fixtures::commands()), HasSubstr("```sh\ndiagnose\n```"));
  EXPECT_THAT(shown({}), Not(HasSubstr("## Causes")));
  runs.front().header.plan.diagnose = true;
  EXPECT_THAT(shown(fixtures::commands()), Not(HasSubstr("## Causes")));
}

TEST(Causes, NameTheRunWhereTheSameSweepIsInTwoFiles) {
  findings::Summary summary = fixtures::diagnosed();
  summary.groups.push_back(summary.groups.front());
  summary.groups.back().table = summary.groups.back().label = "new";
  summary.groups.front().table = summary.groups.front().label = "old";
  for (findings::Finding& finding : summary.findings) finding.table = "new";
  const Document document = causes_section(summary, {}, {});
  EXPECT_THAT(first_item(document).lead.front().text, ::testing::StartsWith("new: At batch 8"));
}

TEST(Causes, AreInTheirOwnSectionOnly) {
  const std::string report = markdown_report(fixtures::diagnosed(), {});
  const std::size_t findings = report.find("## Findings"), causes = report.find("## Causes");
  ASSERT_LT(findings, causes);
  ASSERT_NE(causes, std::string::npos);
  EXPECT_THAT(report.substr(findings, causes - findings), Not(HasSubstr("GLIBC\\_TUNABLES")));
  EXPECT_THAT(report.substr(causes), HasSubstr("`export GLIBC_TUNABLES=glibc.malloc.mmap_max=0`"));
}

}  // namespace
}  // namespace batchscope::report
