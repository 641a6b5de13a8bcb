#include <gmock/gmock.h>

#include "batchscope/document/web_bundle.hpp"
#include "batchscope/traceview/trace.hpp"
#include "made_summary.hpp"
#include "testing/summaries/hostile_texts.hpp"

namespace batchscope::traceview {
namespace {

using ::testing::HasSubstr;

class JobPage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (document::trace_bundle() == nullptr) GTEST_SKIP() << "built without the HTML report";
  }

  static std::string text_of(const base::Result<std::string>& page) {
    return page ? *page : base::to_string(page.error());
  }

  static std::string page_of_ranks(const std::string& name) {
    return text_of(job_html(advice::compare_ranks({made_summary(name), made_summary(name)})));
  }

  static std::string page_of_change(const std::string& name) {
    return text_of(comparison_html(
        advice::compare_traces({made_summary(name, 400)}, {made_summary(name, 350)})));
  }

  // Up to the data for the script.
  static size_t tags(const std::string& page) {
    const size_t end = page.find("<script type=\"application/json\"");
    return static_cast<size_t>(
        std::count(page.begin(), page.begin() + static_cast<std::ptrdiff_t>(end), '<'));
  }
};

TEST_F(JobPage, HasARowAndABarForEachRank) {
  const std::string page = page_of_ranks("name");
  EXPECT_THAT(page, HasSubstr("Where the devices&#39; time went, 2 ranks"));
  EXPECT_THAT(page, HasSubstr("rank 0, busy"));
  EXPECT_THAT(page, HasSubstr("rank 1, busy"));
  EXPECT_THAT(page, HasSubstr("class=\"times ranks"));
}

TEST_F(JobPage, OfOneRankIsThePageOfItsTrace) {
  const advice::TraceSummary summary = made_summary();
  EXPECT_EQ(text_of(job_html(advice::compare_ranks({summary}))), text_of(trace_html(summary)));
}

TEST_F(JobPage, OfAChangeLeadsWithHowMuch) {
  const auto comparison =
      advice::compare_traces({made_summary("a", 400)}, {made_summary("a", 350)});
  const std::string page = page_of_change("a");
  const std::string answer = comparison.message.substr(0, comparison.message.find("; "));
  EXPECT_THAT(page, HasSubstr("<h2 id=\"answer-title\">" + answer + "</h2>"));
  EXPECT_THAT(page, HasSubstr("<figcaption>before: "));
  EXPECT_THAT(page, HasSubstr("<figcaption>after: "));
}

TEST_F(JobPage, NoNameAddsAnElement) {
  const size_t of_ranks = tags(page_of_ranks("harmless"));
  const size_t of_change = tags(page_of_change("harmless"));
  for (const std::string& text : fixtures::hostile_texts()) {
    EXPECT_EQ(tags(page_of_ranks(text)), of_ranks) << text;
    EXPECT_EQ(tags(page_of_change(text)), of_change) << text;
  }
}

}  // namespace
}  // namespace batchscope::traceview
