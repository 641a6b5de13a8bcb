#include <gmock/gmock.h>

#include "batchscope/document/text.hpp"
#include "batchscope/report/markdown.hpp"
#include "batchscope/report/text.hpp"
#include "sections/report_sections.hpp"
#include "testing/summaries/answered.hpp"
#include "testing/summaries/fixtures.hpp"

namespace batchscope::report {
namespace {

using document::Extent;
using findings::Confidence;
using findings::Summary;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kGreen = "\x1b[32m";

// Everything that may be green: a size that is better than its law, a faster setting, a pick, the
// best size of a table.
Summary all_that_is_good(Confidence confidence) {
  Summary summary = fixtures::three_groups();
  summary.answer = fixtures::answered().answer;
  summary.answer.confidence = confidence;
  put_lines(summary.answer);
  findings::Finding better = summary.findings.back();
  better.id = "scaling.departure";
  better.status = findings::Status::proven;
  better.batch_sizes = {4};
  better.evidence = {{"excess_over_law", {-0.1, stats::Interval{-0.12, -0.08}}, "ratio"}};
  summary.findings = {better};
  return summary;
}

std::string coloured(const Summary& summary, Extent extent) {
  return text(summary, {.colour = true, .extent = extent});
}

TEST(Tones, OfAShownAnswerAreGreenThroughout) {
  for (const auto shown : {Confidence::verified, Confidence::shown}) {
    const Summary summary = all_that_is_good(shown);
    for (const Extent extent : {Extent::answer, Extent::usual, Extent::all}) {
      EXPECT_THAT(coloured(summary, extent), HasSubstr(kGreen));
    }
    const std::string all = coloured(summary, Extent::all);
    const std::string faster = summary.comparisons.front().message.substr(0, 12);
    for (const std::string& piece : {std::string("Use batch 4"), std::string("BETTER, proven:"),
                                     faster, std::string("ok, best")}) {
      EXPECT_THAT(all, HasSubstr(kGreen + piece));
    }
  }
}

TEST(Tones, OfAnAnswerThatIsNotShownAreNowhereGreen) {
  for (const auto open : {Confidence::suspected, Confidence::cannot_tell}) {
    const Summary summary = all_that_is_good(open);
    for (const Extent extent : {Extent::answer, Extent::usual, Extent::all}) {
      EXPECT_THAT(coloured(summary, extent), Not(HasSubstr(kGreen)));
    }
    for (const Section& section : report_sections(summary, {}, {})) {
      EXPECT_THAT(render_text(section.content, {.colour = true}), Not(HasSubstr(kGreen)))
          << section.id;
    }
  }
  const Summary hopeless = fixtures::hopeless();
  for (const Extent extent : {Extent::usual, Extent::all}) {
    EXPECT_THAT(coloured(hopeless, extent), Not(HasSubstr(kGreen)));
  }
}

TEST(Terms, AreReportedWhereTheyAreUsed) {
  const std::string usual = text(fixtures::one_group(), {.width = 160, .extent = Extent::usual});
  EXPECT_THAT(usual, HasSubstr("\nTerms: docs/reference/glossary.md (#visit, "));
  const std::string all = text(fixtures::one_group(), {.width = 160});
  EXPECT_THAT(all, HasSubstr("#jump-ratio"));
  EXPECT_THAT(markdown(fixtures::one_group()), HasSubstr("docs/reference/glossary.md"));
  EXPECT_THAT(markdown_report(fixtures::one_group(), {}), HasSubstr("docs/reference/glossary.md"));
  EXPECT_THAT(text(fixtures::answered(), {.extent = Extent::answer}), Not(HasSubstr("glossary")));
}

}  // namespace
}  // namespace batchscope::report
