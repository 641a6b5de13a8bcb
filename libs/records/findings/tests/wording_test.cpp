#include "batchscope/findings/wording.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace batchscope::findings {
namespace {

TEST(Percent, HasOneDecimalBelowTen) {
  EXPECT_EQ(percent(0.715), "72 %");
  EXPECT_EQ(percent(0.0996), "10 %");
  EXPECT_EQ(percent(0.012), "1.2 %");
  EXPECT_EQ(percent(-0.034), "-3.4 %");
  EXPECT_EQ(percent(12.346), "1235 %");
}

TEST(Wording, DifferencesOfNumbersHaveTwoDigitsAtEverySize) {
  EXPECT_EQ(relative_difference(0), "0");
  EXPECT_EQ(relative_difference(2.8e-5), "2.8e-5");
  EXPECT_EQ(relative_difference(6.6e-12), "6.6e-12");
  EXPECT_EQ(relative_difference(0.00099), "9.9e-4");
  EXPECT_EQ(relative_difference(0.0312), "0.031");
  EXPECT_EQ(relative_difference(0.5), "0.5");
  EXPECT_EQ(relative_difference(1.26), "1.3");
  EXPECT_EQ(relative_difference(123.4), "123");
}

TEST(Percent, OnlyNothingIsZero) {
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(0.0006), "0.1 %");
  EXPECT_EQ(percent(0.0001), "< 0.1 %");
  EXPECT_EQ(percent(-0.0001), "> -0.1 %");
  EXPECT_EQ(percent(std::nan("")), "– %");
}

TEST(PercentRange, TellsOnWhichSideOfZeroAnEndIs) {
  EXPECT_EQ(percent_range({0.09, 0.15}), "9.0 to 15 %");
  EXPECT_EQ(percent_range({-0.0001, 0.012}), "-0.0 to 1.2 %");
  EXPECT_EQ(in_interval(std::nullopt), "");
  EXPECT_EQ(in_interval(stats::Interval{0.09, 0.15}), " (CI 9.0 to 15 %)");
}

TEST(ChangeOfTime, IsOfTimeAndNeverAShareOfSpeed) {
  EXPECT_EQ(change_of_time(1.26), "26 % longer");
  EXPECT_EQ(change_of_time(5), "400 % longer");
  EXPECT_EQ(change_of_time(0.97), "3.0 % less time");
  EXPECT_EQ(change_of_time(0.2), "80 % less time (5.0 times as fast)");
  EXPECT_EQ(change_of_time(1 / 1.5), "33 % less time (1.5 times as fast)");
}

TEST(List, ManyAreRanges) {
  EXPECT_EQ(list(std::array<int64_t, 3>{2, 4, 8}), "2, 4 and 8");
  EXPECT_EQ(list(std::array<int64_t, 2>{2, 4}, "or"), "2 or 4");
  EXPECT_EQ(list(std::array<int64_t, 10>{1, 2, 3, 4, 5, 6, 7, 8, 9, 16}), "1-9 and 16");
  EXPECT_EQ(batches(std::array<int64_t, 1>{4}), "batch 4");
}

TEST(ThreeDigits, NeverHaveAnExponent) {
  EXPECT_EQ(three_digits(1234567), "1234567");
  EXPECT_EQ(three_digits(0.001234), "0.00123");
  EXPECT_EQ(milliseconds(12.34), "12.3 ms");
}

}  // namespace
}  // namespace batchscope::findings
