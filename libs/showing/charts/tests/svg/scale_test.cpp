#include "batchscope/charts/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "batchscope/charts/svg.hpp"

namespace batchscope::charts {
namespace {

std::vector<std::string> texts_of(const std::vector<AxisTick>& ticks) {
  std::vector<std::string> texts;
  for (const AxisTick& tick : ticks) texts.push_back(tick.text);
  return texts;
}
using Texts = std::vector<std::string>;

TEST(Scale, HasAPlaceForEachValueAndHoldsWhatIsBeyond) {
  const Scale linear({10, 20}, 0, 100), log({1, 100}, 200, 0, true);
  EXPECT_EQ(linear.at(12), 20);
  EXPECT_EQ(linear.at(30), 200);
  EXPECT_EQ(linear.held(30), 100);
  EXPECT_TRUE(linear.is_above(30));
  EXPECT_TRUE(linear.is_below(9));
  EXPECT_EQ(log.at(10), 100);
  EXPECT_TRUE(std::isnan(log.at(0)));
  EXPECT_EQ(log.held(0), 200);
}

TEST(RoundTicks, AreAtRoundNumbers) {
  EXPECT_EQ(texts_of(round_ticks({0.8, 5.2})),
            (Texts{"1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0", "4.5", "5.0"}));
  EXPECT_EQ(texts_of(round_ticks({-3.7, 3.7}, 4)), (Texts{"-2", "0", "2"}));
  EXPECT_EQ(texts_of(round_ticks({0, 4.2e9}, 5)),
            (Texts{"0", "1000000000", "2000000000", "3000000000", "4000000000"}));
  EXPECT_EQ(texts_of(round_ticks({0, 4.2e-9}, 5)),
            (Texts{"0", "1e-09", "2e-09", "3e-09", "4e-09"}));
  EXPECT_TRUE(round_ticks({1, 1}).empty());
}

TEST(RoundTicks, AreFewAndSayWhereTheyBe) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-12, 12), share(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    const double low = share(random) * std::pow(10, exponent(random));
    const double high = low + std::max(1e-3 * std::abs(low), std::pow(10, exponent(random)));
    const std::vector<AxisTick> ticks = round_ticks({low, high});
    ASSERT_GE(ticks.size(), 2u) << low << " to " << high;
    ASSERT_LE(ticks.size(), 10u);
    const double step = ticks[1].value - ticks[0].value;
    for (const AxisTick& tick : ticks) {
      EXPECT_GE(tick.value, low - 1e-6 * step);
      EXPECT_LE(tick.value, high + 1e-6 * step);
      EXPECT_NEAR(std::stod(tick.text), tick.value, 1e-3 * step) << tick.text;
    }
  }
}

TEST(LogarithmicTicks, GoFromFineToEveryFewDecades) {
  EXPECT_EQ(texts_of(logarithmic_ticks({2, 20})), (Texts{"2", "3", "5", "7", "10", "15", "20"}));
  EXPECT_EQ(texts_of(logarithmic_ticks({0.5, 500})),
            (Texts{"0.5", "1", "2", "5", "10", "20", "50", "100", "200", "500"}));
  EXPECT_EQ(logarithmic_ticks({1e-20, 1e20}).size(), 10u);
}

TEST(SizeAxis, HasATickAtEverySizeAndLabelsWhereThereIsRoom) {
  std::vector<int64_t> sizes(192);
  std::iota(sizes.begin(), sizes.end(), 1);
  const SizeAxis axis(sizes, SizeAxis::Spacing::log2);
  EXPECT_EQ(axis.position(8), 3);
  const std::vector<AxisTick> ticks = axis.ticks(850);
  ASSERT_EQ(ticks.size(), 192u);
  const Scale scale(axis.ends(), 0, 850);
  double free_from = -100;
  for (const AxisTick& tick : ticks) {
    if (tick.text.empty()) continue;
    const double half = 4.5 * static_cast<double>(tick.text.size());
    EXPECT_GE(scale.at(tick.value) - half, free_from) << tick.text;
    free_from = scale.at(tick.value) + half;
  }
  EXPECT_EQ(ticks.front().text, "1");
  EXPECT_EQ(ticks[127].text, "128");
  EXPECT_EQ(ticks.back().text, "192");
}

TEST(ValueAxis, IsLogarithmicBeyondAFactorOfThree) {
  ValueAxis axis;
  axis.include(10);
  axis.include(29);
  EXPECT_FALSE(axis.logarithmic());
  axis.include(stats::Interval{1, 300});
  EXPECT_FALSE(axis.logarithmic()) << "an interval does not set the scale";
  axis.include(31);
  EXPECT_TRUE(axis.logarithmic());
}

TEST(ValueAxis, GivesIntervalsSomeRoomAndNoMore) {
  ValueAxis bare, narrow, wide;
  for (ValueAxis* axis : {&bare, &narrow, &wide}) {
    axis->include(10);
    axis->include(20);
  }
  const stats::Interval values = bare.ends({});
  const double span = values.high - values.low;
  narrow.include(stats::Interval{19.9, values.high + 0.1 * span});
  EXPECT_NEAR(narrow.ends({}).high, values.high + 0.13 * span, 1e-9);
  EXPECT_EQ(narrow.ends({}).low, values.low);
  wide.include(stats::Interval{-1e6, 1e6});
  EXPECT_NEAR(wide.ends({}).low, values.low - 0.53 * span, 1e-9);
  EXPECT_NEAR(wide.ends({}).high, values.high + 0.53 * span, 1e-9);
}

TEST(Svg, EscapesTextsAndLeavesOutWhatHasNoPlace) {
  Svg svg;
  svg.text("ink", {1, 2}, "end", "<b>\"&\x1b[31m");
  EXPECT_EQ(svg.markup().find("<b>"), std::string::npos);
  EXPECT_EQ(svg.markup().find('\x1b'), std::string::npos);
  EXPECT_EQ(path_through({{1, 2}, {NAN, 3}, {4, 5}, {6, 7.125}}), "M1 2M4 5L6 7.12");
}

}  // namespace
}  // namespace batchscope::charts
