#include "batchscope/base/lists.hpp"

#include <gmock/gmock.h>

namespace batchscope::base {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ParseIntegers, ReadsTheFourForms) {
  EXPECT_THAT(*parse_integers("1,2,4"), ElementsAre(1, 2, 4));
  EXPECT_THAT(*parse_integers("3-6"), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(*parse_integers("1-64+8"), ElementsAre(1, 9, 17, 25, 33, 41, 49, 57));
  EXPECT_THAT(*parse_integers("1-128*2"), ElementsAre(1, 2, 4, 8, 16, 32, 64, 128));
  EXPECT_THAT(*parse_integers("1-100*2"), ElementsAre(1, 2, 4, 8, 16, 32, 64));
  EXPECT_THAT(*parse_integers("2-20*1.5"), ElementsAre(2, 3, 5, 7, 10, 15));
  EXPECT_THAT(*parse_integers("5-5"), ElementsAre(5));
}

TEST(ParseIntegers, KeepsOrderAndDropsDuplicates) {
  EXPECT_THAT(*parse_integers(" 8 , 1-3, 2,8,1 - 8 * 2"), ElementsAre(8, 1, 2, 3, 4));
}

TEST(ParseIntegers, NamesTheItemAndShowsExamples) {
  for (const char* item : {"x", "0", "-3", "1.5", "8-1", "0-4", "1-", "-", "1-4+0", "1-4*1",
                           "1-4*nan", "1-4+2*2", "1-4-6", "99999999999999999999"}) {
    const auto result = parse_integers(std::string("1,").append(item).append(",4"));
    ASSERT_FALSE(result) << item;
    EXPECT_EQ(result.error().kind, ErrorKind::usage);
    EXPECT_THAT(result.error().what, HasSubstr(std::string("'").append(item).append("'")));
    EXPECT_THAT(result.error().fix, HasSubstr("1-128*2"));
  }
}

TEST(ParseIntegers, RefusesEmptyAndColon) {
  EXPECT_FALSE(parse_integers(""));
  EXPECT_FALSE(parse_integers(" "));
  EXPECT_FALSE(parse_integers("1,,2"));
  EXPECT_FALSE(parse_integers("1,2,"));
  EXPECT_THAT(parse_integers("1:8").error().what, HasSubstr("two different ways"));
}

TEST(ParseIntegers, StopsAtTheLimitWithoutOverflow) {
  EXPECT_EQ(parse_integers("1-100000")->size(), 100'000U);
  for (const char* text : {"1-100001", "1-9223372036854775807", "1-100000,100001",
                           "1-9223372036854775807*1.0000001"}) {
    const auto result = parse_integers(text);
    ASSERT_FALSE(result) << text;
    EXPECT_THAT(result.error().what, HasSubstr("100000 values"));
  }
  EXPECT_THAT(*parse_integers("9223372036854775806-9223372036854775807"),
              ElementsAre(9223372036854775806, 9223372036854775807));
  EXPECT_EQ(parse_integers("1-9223372036854775807*2")->size(), 63U);
  EXPECT_EQ(parse_integers("1-9223372036854775807+4611686018427387904")->size(), 2U);
}

TEST(FormatIntegers, WritesRunsOfThreeAndMore) {
  EXPECT_THAT(format_integers(std::vector<int64_t>{1, 2, 3, 4, 8}), ElementsAre("1-4", "8"));
  EXPECT_THAT(format_integers(std::vector<int64_t>{1, 2, 4, 5, 6}), ElementsAre("1", "2", "4-6"));
  EXPECT_THAT(format_integers(std::vector<int64_t>{7}), ElementsAre("7"));
  EXPECT_TRUE(format_integers({}).empty());
}

TEST(ParseNames, TrimsAndDropsDuplicates) {
  EXPECT_THAT(*parse_names("fp32, bf16 ,fp32"), ElementsAre("fp32", "bf16"));
  EXPECT_FALSE(parse_names("a,,b"));
  EXPECT_FALSE(parse_names(""));
}

}  // namespace
}  // namespace batchscope::base
