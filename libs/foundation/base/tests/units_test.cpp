#include "batchscope/base/units.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace batchscope::base {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(ParseDuration, ReadsEveryUnit) {
  EXPECT_EQ(*parse_duration("30ns"), 30ns);
  EXPECT_EQ(*parse_duration("500us"), 500us);
  EXPECT_EQ(*parse_duration("200ms"), 200ms);
  EXPECT_EQ(*parse_duration(" 1.5 s "), 1500ms);
  EXPECT_EQ(*parse_duration("10m"), 10min);
  EXPECT_EQ(*parse_duration("2h"), 2h);
  EXPECT_EQ(*parse_duration("0s"), 0ns);
}

TEST(ParseDuration, RefusesWhatWouldBeAGuess) {
  EXPECT_THAT(parse_duration("10").error().what, HasSubstr("no unit"));
  EXPECT_THAT(parse_duration("10 parsecs").error().what, HasSubstr("unknown unit"));
  for (const char* text : {"", "s", "-1s", "nans", "infs", "1e30h", "9223372036854775807s"}) {
    const auto result = parse_duration(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().kind, ErrorKind::usage);
    EXPECT_THAT(result.error().fix, HasSubstr("200ms"));
  }
}

TEST(ParseBytes, ReadsDecimalAndBinaryPrefixes) {
  EXPECT_EQ(*parse_bytes("1024B"), 1024);
  EXPECT_EQ(*parse_bytes("8GiB"), int64_t{8} << 30);
  EXPECT_EQ(*parse_bytes("500MB"), 500'000'000);
  EXPECT_EQ(*parse_bytes("1.5 kib"), 1536);
  EXPECT_EQ(*parse_bytes("9007199254740993B"), 9007199254740993);  // 2^53 + 1: not a double
  EXPECT_EQ(*parse_bytes("2TiB"), int64_t{2} << 40);
}

TEST(ParseBytes, RefusesANumberWithoutItsUnit) {
  for (const char* text : {"2", " 2 ", "1048576", "-1", "0.5"}) {
    const auto bytes = parse_bytes(text);
    ASSERT_FALSE(bytes) << text;
    EXPECT_EQ(bytes.error().kind, ErrorKind::usage);
    EXPECT_THAT(bytes.error().what, HasSubstr("has no unit"));
  }
  EXPECT_THAT(parse_bytes("2").error().what, HasSubstr("no unit of size"));
  EXPECT_THAT(parse_bytes("2").error().fix, HasSubstr("2GiB"));
  EXPECT_EQ(*parse_bytes("0"), 0);  // the same in every unit
}

TEST(ParseBytes, RefusesAmbiguousAndTooLarge) {
  EXPECT_THAT(parse_bytes("8G").error().what, HasSubstr("1000 or 1024"));
  EXPECT_THAT(parse_bytes("8 apples").error().what, HasSubstr("unknown unit"));
  EXPECT_FALSE(parse_bytes("9000000000GiB"));
  EXPECT_FALSE(parse_bytes("1e19B"));
  EXPECT_FALSE(parse_bytes("-1B"));
  EXPECT_FALSE(parse_bytes(""));
}

TEST(ParseRatio, ReadsPercentAndPlain) {
  EXPECT_DOUBLE_EQ(*parse_ratio("3%"), 0.03);
  EXPECT_DOUBLE_EQ(*parse_ratio("0.03"), 0.03);
  for (const char* text : {"", "-1%", "nan", "inf", "3 percent", "3", "1"}) {
    EXPECT_FALSE(parse_ratio(text)) << text;
  }
}

TEST(FormatDuration, ShowsThreeDigitsAndTheFittingUnit) {
  EXPECT_EQ(format_duration(0ns), "0 ns");
  EXPECT_EQ(format_duration(999ns), "999 ns");
  EXPECT_EQ(format_duration(1230us), "1.23 ms");
  EXPECT_EQ(format_duration(45600ms), "45.6 s");
  EXPECT_EQ(format_duration(123ms), "123 ms");
  EXPECT_EQ(format_duration(200s), "3 min 20 s");
  EXPECT_EQ(format_duration(2h + 5min), "2 h 5 min");
  EXPECT_EQ(format_duration(-1500us), "-1.50 ms");
}

TEST(FormatDuration, RoundingNeverPrintsAThousandOfAUnit) {
  EXPECT_EQ(format_duration(999'999ns), "1.00 ms");
  EXPECT_EQ(format_duration(999'400ns), "999 us");
  EXPECT_EQ(format_duration(9'996us), "10.0 ms");
  EXPECT_EQ(format_duration(99'960us), "100 ms");
  EXPECT_EQ(format_duration(119'900ms), "2 min 0 s");
}

TEST(FormatBytes, ShowsThreeDigitsAndTheFittingUnit) {
  EXPECT_EQ(format_bytes(12), "12 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(int64_t{1536} << 20), "1.50 GiB");
  EXPECT_EQ(format_bytes(int64_t{300} << 20), "300 MiB");
  EXPECT_EQ(format_bytes((int64_t{1} << 30) - 1), "1.00 GiB");
  EXPECT_EQ(format_bytes(std::numeric_limits<int64_t>::max()), "8.00 EiB");
  EXPECT_EQ(format_bytes(-2048), "-2.00 KiB");
}

TEST(FormatLevel, KeepsTheDigitsThatCount) {
  EXPECT_EQ(format_level(0.95), "95 %");
  EXPECT_EQ(format_level(0.9999), "99.99 %");
  EXPECT_EQ(format_level(1 - 0.9999), "0.01 %");
}

}  // namespace
}  // namespace batchscope::base
