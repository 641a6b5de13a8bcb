#include "batchscope/findings/numbers.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace batchscope::findings {
namespace {

using stats::Interval;

std::string amount(double value, double low, double high) {
  return inline_estimate({value, Interval{low, high}}, Quantity::amount);
}

TEST(Plain, ShowsFourSignificantDigitsAndAtLeastTwoDecimals) {
  EXPECT_EQ(plain(50.3), "50.30");
  EXPECT_EQ(plain(504.16), "504.16");
  EXPECT_EQ(plain(1.2345), "1.234");
  EXPECT_EQ(plain(0.012344), "0.01234");
  EXPECT_EQ(plain(5040.123), "5040.1");
  EXPECT_EQ(plain(50401.23), "50401");
  EXPECT_EQ(plain(1.148, Quantity::ratio), "1.15");
}

TEST(Plain, ANumberThatIsNoneIsADash) {
  EXPECT_EQ(plain(std::numeric_limits<double>::quiet_NaN()), kAbsent);
  EXPECT_EQ(plain(std::numeric_limits<double>::infinity()), kAbsent);
}

TEST(Fixed, NeverPrintsMinusZero) {
  EXPECT_EQ(fixed(-0.001, 2), "0.00");
  EXPECT_EQ(fixed(-0.01, 2), "-0.01");
}

TEST(Estimates, DigitsFollowTheInterval) {
  EXPECT_EQ(amount(50.301, 49.99, 50.61), "50.30 ±0.31");
  EXPECT_EQ(amount(50.301, 47.2, 53.4), "50.3 ±3.1");
  EXPECT_EQ(amount(1234.5, 1200, 1269), "1234 ±34");
}

TEST(Estimates, TheLongerSideIsPrinted) {
  EXPECT_EQ(amount(100, 90, 112), "100 ±12");
}

TEST(Estimates, UnlikeSidesArePrintedAsLimits) {
  EXPECT_EQ(amount(100, 95, 140), "100 [95, 140]");
  EXPECT_EQ(amount(100, 101, 140), "100 [101, 140]");  // the value beside its interval
}

TEST(Estimates, AnIntervalIsNeverPrintedAsNothing) {
  EXPECT_EQ(amount(1234.567, 1234.5669999, 1234.5670001), "1234.57 ±0.01");
}

TEST(Estimates, OneUnlikeRowTurnsTheFullColumn) {
  const Estimate even{100, Interval{90, 110}}, uneven{100, Interval{95, 140}};
  const auto shown = show_column({&even, nullptr, &uneven}, Quantity::amount);
  EXPECT_EQ(shown[0].interval, "[90, 110]");
  EXPECT_EQ(shown[1].value, kAbsent);
  EXPECT_EQ(shown[2].interval, "[95, 140]");
}

TEST(Estimates, AColumnOfRatiosHasTheSameDecimals) {
  const Estimate base{1, {}}, narrow{1.0731, Interval{1.059, 1.087}};
  const auto shown = show_column({&base, &narrow}, Quantity::ratio);
  EXPECT_EQ(shown[0].value, "1.000");
  EXPECT_EQ(shown[1].value, "1.073");
  EXPECT_EQ(shown[1].interval, "±0.014");
}

TEST(Brief, ThreeSignificantDigits) {
  EXPECT_EQ(brief(0.07253), "0.0725");
  EXPECT_EQ(brief(34.89), "34.9");
  EXPECT_EQ(brief(281.45), "281");
}

}  // namespace
}  // namespace batchscope::findings
