#include "gnuplot/chart_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "batchscope/charts/chart_axis.hpp"
#include "gnuplot/chart_kinds.hpp"
#include "gnuplot/chart_style.hpp"
#include "testing/summaries/answered.hpp"
#include "testing/summaries/fixtures.hpp"

namespace batchscope::charts {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Literal, HoldsNothingThatEndsItOrIsReplaced) {
  EXPECT_EQ(literal("a b/c.png"), R"("a b/c.png")");
  EXPECT_EQ(literal("it's \"`x`\" $(y) @z \\n"),
            R"("it\047s \042\140x\140\042 \044(y) \100z \134n")");
  EXPECT_EQ(literal("\n|é"), R"("\012\174\303\251")");
}

TEST(Label, IsCleanAndCut) {
  EXPECT_EQ(label("a\x1b[31m\nb"), R"("a b")");
  EXPECT_EQ(label(std::string(500, 'a'), 11), R"("aaaaa\342\200\246aaaaa")");
}

TEST(Number, WhatIsNoneIsPassedOver) {
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(std::nan("")), "NaN");
}

TEST(SizeAxis, HasATickAtEverySizeAndLabelsWhereThereIsRoom) {
  const auto groups = fixtures::many_sizes().groups;
  const SizeAxis axis(groups, SizeAxis::Spacing::log2);
  EXPECT_EQ(axis.position(8), 3);
  const std::string wide = axis.commands(5000);
  EXPECT_THAT(wide, HasSubstr("'192' 7.584962501"));
  const std::string narrow = axis.commands(400);
  EXPECT_THAT(narrow, HasSubstr("'1024' 10"));
  EXPECT_THAT(narrow, HasSubstr("'' 7.584962501 1"));
}

TEST(ValueAxis, IsLogarithmicBeyondAFactorOfThree) {
  ValueAxis axis;
  axis.include(10);
  axis.include(29);
  EXPECT_FALSE(axis.logarithmic());
  axis.include(findings::Estimate{29.5, stats::Interval{28, 31}});
  EXPECT_FALSE(axis.logarithmic()) << "an interval does not set the scale";
  axis.include(31);
  EXPECT_TRUE(axis.logarithmic());
  EXPECT_THAT(axis.commands({.logarithmic = true}), HasSubstr("set logscale y"));
  EXPECT_THAT(axis.commands({}), Not(HasSubstr("logscale")));
}

TEST(ValueAxis, GivesIntervalsSomeRoomAndNoMore) {
  ValueAxis bare, narrow, wide;
  for (ValueAxis* axis : {&bare, &narrow, &wide}) {
    axis->include(10);
    axis->include(20);
  }
  const stats::Interval values = bare.ends({});
  const double span = values.high - values.low;
  narrow.include(findings::Estimate{20, stats::Interval{19.9, values.high + 0.1 * span}});
  EXPECT_NEAR(narrow.ends({}).high, values.high + 0.13 * span, 1e-9);
  EXPECT_EQ(narrow.ends({}).low, values.low);
  wide.include(findings::Estimate{15, stats::Interval{-1e6, 1e6}});
  EXPECT_NEAR(wide.ends({}).low, values.low - 0.53 * span, 1e-9);
  EXPECT_NEAR(wide.ends({}).high, values.high + 0.53 * span, 1e-9);
}

TEST(Bars, EndInAnArrowWhereTheAxisEndsFirst) {
  const auto drawn = [](const stats::Interval& ends) {
    ChartScript script;
    const bool clipped = draw_bars(script, {{1, 5, ends}}, {0, 10}, "#123456");
    script.plot();
    const std::string text = script.take();
    EXPECT_EQ(clipped, text.find("pt 9") != std::string::npos);
    return text;
  };
  EXPECT_THAT(drawn({4, 6}), HasSubstr("1 5 4 6\n"));
  EXPECT_THAT(drawn({4, 60}), HasSubstr("1 5 4 10\n"));
  EXPECT_THAT(drawn({4, 60}), HasSubstr("1 10\n"));
}

TEST(LineCharts, HaveATitleOfTheirOwnAndTheTolerance) {
  std::set<std::string> titles;
  const auto charts = line_charts(fixtures::answered());
  for (const Chart& chart : charts) {
    const std::size_t at = chart.commands.find("set label 1 ");
    titles.insert(chart.commands.substr(at, chart.commands.find(" at graph", at) - at));
    EXPECT_THAT(chart.commands, HasSubstr("with filledcurves")) << chart.name;
    EXPECT_THAT(chart.commands, HasSubstr("law of the sizes: ")) << chart.name;
  }
  EXPECT_EQ(titles.size(), charts.size());
  EXPECT_THAT(charts[1].commands, HasSubstr(label("Batch 4 gives 30.8 samples/s, 11 % more than "
                                                  "batch 1")));
}

TEST(ScatterCharts, DrawTheLatencyBudget) {
  const auto charts = scatter_charts(fixtures::answered(), 200);
  ASSERT_EQ(charts.size(), 1u);
  EXPECT_THAT(charts[0].commands, HasSubstr("title \"latency budget 200 ms\""));
  EXPECT_THAT(scatter_charts(fixtures::answered(), {})[0].commands, Not(HasSubstr("budget")));
}

TEST(ResidualChart, ShowsHowFarSizesAreOffTheLaw) {
  const auto chart = residual_chart(fixtures::answered());
  ASSERT_TRUE(chart);
  // 291.4 ms against 4.9 ms + 8 x 31.2 ms.
  EXPECT_THAT(chart->commands, HasSubstr("\n3 14.499"));
  EXPECT_THAT(chart->commands, HasSubstr("3.45 0\n"));
  EXPECT_THAT(chart->commands, HasSubstr("title \"proven anomaly\""));
  EXPECT_FALSE(residual_chart(fixtures::many_sizes())) << "no law was fitted";
}

TEST(LineCharts, MarkProvenAndSuspectSizes) {
  const auto proven = line_charts(fixtures::one_group());
  ASSERT_EQ(proven.size(), 5u);
  EXPECT_THAT(proven[0].commands, HasSubstr(" \"proven\"\n"));
  EXPECT_THAT(proven[0].commands, HasSubstr("title \"proven anomaly\""));
  EXPECT_THAT(proven[0].commands, Not(HasSubstr("suspect")));
  const auto suspect = line_charts(fixtures::seed_table());
  EXPECT_THAT(suspect[0].commands, HasSubstr("title \"suspect (outline)\""));
  EXPECT_THAT(suspect[0].commands, HasSubstr("no repeats, no intervals"));
  EXPECT_THAT(suspect[0].commands, Not(HasSubstr("yerrorbars")));
}

TEST(BoxChart, NeedsSamples) {
  EXPECT_FALSE(box_chart(fixtures::seed_table().groups));
  EXPECT_TRUE(box_chart(fixtures::single_size().groups));
}

TEST(BoxChart, AStrayIterationDoesNotFlattenTheBoxes) {
  findings::Summary summary = fixtures::single_size();
  findings::Distribution& spread = summary.groups[0].rows[0].distribution;
  spread.max_ms = 20 * spread.median_ms;
  spread.points_ms.push_back(spread.max_ms);
  const auto chart = box_chart(summary.groups);
  ASSERT_TRUE(chart);
  EXPECT_THAT(chart->commands, HasSubstr("further out than the axis"));
  EXPECT_THAT(chart->commands, Not(HasSubstr(number(spread.max_ms / 4))));
  EXPECT_THAT(box_chart(fixtures::one_group().groups)->commands, Not(HasSubstr("further out")));
}

TEST(BreakdownChart, StacksToAHundredPercent) {
  const auto chart = breakdown_chart(fixtures::many_sizes().groups);
  ASSERT_TRUE(chart);
  EXPECT_THAT(chart->commands, HasSubstr(" 88.01 100\n"));  // "other" lies on top
}

}  // namespace
}  // namespace batchscope::charts
