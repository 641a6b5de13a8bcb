#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/report/versions.hpp"

namespace batchscope::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

findings::Trend sample_trend() {
  findings::Trend trend;
  trend.message = "One significant change in 6 runs: batch 4 takes longer.";
  findings::TrendSeries series;
  series.label = "batch 4";
  for (std::size_t run = 0; run < 6; ++run) {
    trend.runs.push_back({"c" + std::to_string(run), "2026-01-01T00:00:00Z", "cpu"});
    series.points.push_back({run, run < 3 ? 10.0 : 11.0});
  }
  series.levels = {{0, 2, 10}, {3, 5, 11}};
  series.changes = {{3, 2, 4, {1.1, stats::Interval{1.09, 1.11}}, "batch 4 takes 10 % more time."}};
  series.detectable = 0.04;
  trend.series = {series};
  return trend;
}

TEST(TrendText, HasTheAnswerAndASeriesALine) {
  const std::string text = trend_text(sample_trend());
  EXPECT_THAT(text, StartsWith("One significant change"));
  EXPECT_THAT(text, HasSubstr("+10 %"));
  EXPECT_THAT(text, HasSubstr("+4.0 %"));
  EXPECT_THAT(text, HasSubstr("5 %"));
}

TEST(TrendMarkdown, ListsSeveralChanges) {
  findings::Trend trend = sample_trend();
  EXPECT_THAT(trend_markdown(trend), Not(HasSubstr("### Changes")));
  trend.series[0].changes.push_back({5, 5, 5, {0.9, {}}, "batch 4 takes 10 % less time."});
  const std::string text = trend_markdown(trend);
  EXPECT_LT(text.find("10 % less time"), text.find("10 % more time")) << "the latest first";
}

TEST(TrendHtml, DrawsEveryRunLevelAndChange) {
  const std::string page = trend_html(sample_trend());
  const auto count = [&](const std::string& what) {
    int n = 0;
    for (auto at = page.find(what); at != std::string::npos; at = page.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("<circle "), 6);
  EXPECT_EQ(count("<path class=\"level\""), 2);
  EXPECT_EQ(count("<rect class=\"rise\""), 1);
  EXPECT_EQ(count("<script"), 0);
  EXPECT_THAT(page, HasSubstr("<h2>batch 4 takes 10 % more time.</h2>"));
}

TEST(TrendHtml, NamesAreNoMarkup) {
  findings::Trend trend = sample_trend();
  trend.runs[0].label = trend.series[0].label = trend.message = "<img src=x>&\"";
  EXPECT_THAT(trend_html(trend), Not(HasSubstr("<img")));
}

TEST(TrendHtml, OneRunIsDrawn) {
  findings::Trend trend = sample_trend();
  trend.runs.resize(1);
  trend.series[0].points.resize(1);
  trend.series[0].levels = {{0, 0, 10}};
  trend.series[0].changes.clear();
  const std::string page = trend_html(trend);
  EXPECT_THAT(page, HasSubstr("<circle "));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace batchscope::report
