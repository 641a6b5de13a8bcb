#include "gnuplot/chart_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/charts/chart_axis.hpp"
#include "fixtures.hpp"
#include "gnuplot/chart_kinds.hpp"
#include "gnuplot/chart_style.hpp"

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
  axis.include(findings::Estimate{30, stats::Interval{28, 31}});
  EXPECT_TRUE(axis.logarithmic());
  EXPECT_THAT(axis.commands({.logarithmic = true}), HasSubstr("set logscale y"));
  EXPECT_THAT(axis.commands({}), Not(HasSubstr("logscale")));
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
