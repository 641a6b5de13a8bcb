#include "batchscope/report/markdown.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "approval/approval.hpp"
#include "testing/summaries/fixtures.hpp"

namespace batchscope::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Bars that GitHub takes for a column's border.
std::ptrdiff_t borders(const std::string& line) {
  std::ptrdiff_t count = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '|') {
      ++count;
    }
  }
  return count;
}

TEST(Markdown, Approved) {
  approval::expect_approved("seed.md.txt", markdown(fixtures::seed_table()));
  approval::expect_approved("one_group.md.txt", markdown(fixtures::one_group(),
                                                         {.charts = {"charts/forward_pass_time.png",
                                                                     "charts/forward_pass_time.svg",
                                                                     "charts/memory.png"}}));
  approval::expect_approved("three_groups.md.txt", markdown(fixtures::three_groups()));
}

TEST(Markdown, HostileNamesAddNoMarkup) {
  const std::string result = markdown(fixtures::hostile(), {.commands = fixtures::commands()});
  const std::string outside_code = result.substr(0, result.find("```sh"));
  EXPECT_THAT(result, Not(HasSubstr("\x1b")));
  EXPECT_THAT(outside_code, Not(HasSubstr("<script")));
  EXPECT_THAT(outside_code, Not(HasSubstr("</script>")));
  EXPECT_THAT(outside_code, HasSubstr("red\\|&lt;script&gt;alert(1)&lt;/script&gt;\\`reboot\\`"));
}

TEST(Markdown, HostileNamesAddNoColumn) {
  std::istringstream lines(markdown(fixtures::hostile()));
  std::ptrdiff_t expected = 0;
  int tables = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| ", 0) != 0 && line.rfind("|-", 0) != 0) {
      expected = 0;
      continue;
    }
    if (expected == 0) {
      expected = borders(line);
      ++tables;
    }
    EXPECT_EQ(borders(line), expected) << line;
  }
  EXPECT_EQ(tables, 4);
}

TEST(Markdown, ANameCannotEndTheCodeBlock) {
  findings::Summary summary = fixtures::one_group();
  summary.groups.front().key.model = "a```b````c";
  EXPECT_THAT(markdown(summary, {.commands = fixtures::commands()}),
              HasSubstr("\n`````sh\nmeasure 'a```b````c'"));
}

TEST(Markdown, ASentenceCannotBecomeAListOrAHeading) {
  findings::Summary summary;
  summary.words = {"1. first", "# second", "- third"};
  const std::string result = markdown(summary);
  EXPECT_THAT(result, HasSubstr("- 1\\. first\n- \\# second\n- \\- third\n"));
}

TEST(Markdown, AReportReadsInTheOrderOfAnInvestigation) {
  schema::RunFile run;
  run.header.command_line = {"batchscope", "profile", "-m", "it's a name"};
  const std::string result = markdown_report(
      fixtures::one_group(), std::vector{run},
      {.charts = {"report_charts/throughput.svg"}, .commands = fixtures::commands()});
  std::size_t at = 0;
  for (const char* title :
       {"# Batch size report: distilbert", "## In short", "## Findings", "## Charts", "## Tables",
        "## Warnings", "## What to measure next", "## Machine and method", "## How to reproduce"}) {
    const std::size_t found = result.find(std::string(title) + "\n", at);
    EXPECT_NE(found, std::string::npos) << title;
    at = found;
  }
  EXPECT_THAT(result, HasSubstr("![throughput](report_charts/throughput.svg)"));
  EXPECT_THAT(result, HasSubstr("batchscope profile -m 'it'\\''s a name'"));
  EXPECT_THAT(result, HasSubstr("This report:\n\n```sh\nreport\n```"));
}

TEST(Markdown, ChartLinksAreEncodedAndShownOnce) {
  const std::string result = markdown(fixtures::seed_table(),
                                      {.charts = {"a b/time).png", "a b/time).svg", "memory.png"}});
  EXPECT_THAT(result, HasSubstr("![time)](a%20b/time%29.svg)"));
  EXPECT_THAT(result, Not(HasSubstr("time%29.png")));
  EXPECT_THAT(result, HasSubstr("![memory](memory.png)"));
}

}  // namespace
}  // namespace batchscope::report
