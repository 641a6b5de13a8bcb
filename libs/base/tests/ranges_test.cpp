#include "batchscope/base/ranges.hpp"

#include <gmock/gmock.h>

namespace batchscope::base {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ParseRange, ReadsTheFourForms) {
  EXPECT_THAT(*parse_range("1,2,4"), ElementsAre(1, 2, 4));
  EXPECT_THAT(*parse_range("3-6"), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(*parse_range("1-64+8"), ElementsAre(1, 9, 17, 25, 33, 41, 49, 57));
  EXPECT_THAT(*parse_range("1-128*2"), ElementsAre(1, 2, 4, 8, 16, 32, 64, 128));
  EXPECT_THAT(*parse_range("1-100*2"), ElementsAre(1, 2, 4, 8, 16, 32, 64));
  EXPECT_THAT(*parse_range("2-20*1.5"), ElementsAre(2, 3, 5, 7, 10, 15));
  EXPECT_THAT(*parse_range("5-5"), ElementsAre(5));
}

TEST(ParseRange, KeepsOrderAndDropsDuplicates) {
  EXPECT_THAT(*parse_range(" 8 , 1-3, 2,8,1 - 8 * 2"), ElementsAre(8, 1, 2, 3, 4));
}

TEST(ParseRange, NamesTheItemAndShowsExamples) {
  for (const char* item : {"x", "0", "-3", "1.5", "8-1", "0-4", "1-", "-", "1-4+0", "1-4*1",
                           "1-4*nan", "1-4+2*2", "1-4-6", "99999999999999999999"}) {
    const auto result = parse_range(std::string("1,").append(item).append(",4"));
    ASSERT_FALSE(result) << item;
    EXPECT_EQ(result.error().kind, ErrorKind::usage);
    EXPECT_THAT(result.error().what, HasSubstr(std::string("'").append(item).append("'")));
    EXPECT_THAT(result.error().fix, HasSubstr("1-128*2"));
  }
}

TEST(ParseRange, RefusesEmptyAndColon) {
  EXPECT_FALSE(parse_range(""));
  EXPECT_FALSE(parse_range(" "));
  EXPECT_FALSE(parse_range("1,,2"));
  EXPECT_FALSE(parse_range("1,2,"));
  EXPECT_THAT(parse_range("1:8").error().what, HasSubstr("two different ways"));
}

TEST(ParseRange, StopsAtTheLimitWithoutOverflow) {
  EXPECT_EQ(parse_range("1-100000")->size(), 100'000U);
  for (const char* text : {"1-100001", "1-9223372036854775807", "1-100000,100001",
                           "1-9223372036854775807*1.0000001"}) {
    const auto result = parse_range(text);
    ASSERT_FALSE(result) << text;
    EXPECT_THAT(result.error().what, HasSubstr("100000 values"));
  }
  EXPECT_THAT(*parse_range("9223372036854775806-9223372036854775807"),
              ElementsAre(9223372036854775806, 9223372036854775807));
  EXPECT_EQ(parse_range("1-9223372036854775807*2")->size(), 63U);
  EXPECT_EQ(parse_range("1-9223372036854775807+4611686018427387904")->size(), 2U);
}

TEST(FormatRanges, WritesRunsOfThreeAndMore) {
  EXPECT_THAT(format_ranges(std::vector<int64_t>{1, 2, 3, 4, 8}), ElementsAre("1-4", "8"));
  EXPECT_THAT(format_ranges(std::vector<int64_t>{1, 2, 4, 5, 6}), ElementsAre("1", "2", "4-6"));
  EXPECT_THAT(format_ranges(std::vector<int64_t>{7}), ElementsAre("7"));
  EXPECT_TRUE(format_ranges({}).empty());
}

TEST(ParseNames, TrimsAndDropsDuplicates) {
  EXPECT_THAT(*parse_names("fp32, bf16 ,fp32"), ElementsAre("fp32", "bf16"));
  EXPECT_FALSE(parse_names("a,,b"));
  EXPECT_FALSE(parse_names(""));
}

}  // namespace
}  // namespace batchscope::base
