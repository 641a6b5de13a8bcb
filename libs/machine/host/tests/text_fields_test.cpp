#include "batchscope/host/text_fields.hpp"

#include <gmock/gmock.h>

namespace batchscope::host {
namespace {

using ::testing::ElementsAre;

TEST(TextFields, SplitsAtRunsOfBlanks) {
  EXPECT_THAT(split_fields("  cpu0  12\t3 \n"), ElementsAre("cpu0", "12", "3"));
  EXPECT_TRUE(split_fields(" \t").empty());
}

TEST(TextFields, IntegersAreTheFullText) {
  EXPECT_EQ(parse_integer("-1"), -1);
  EXPECT_EQ(parse_integer("9223372036854771712"), 9223372036854771712);
  for (const char* text : {"", "max", "12 ", "1.5", "99999999999999999999"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(TextFields, FindsValuesInEveryStyleOfProc) {
  const char* text = "nr_periods 7\nMemTotal:  12 kB\nmodel name\t: A B\nempty\t:\nlast 3";
  EXPECT_EQ(find_number(text, "nr_periods"), 7);
  EXPECT_EQ(find_number(text, "MemTotal"), 12);
  EXPECT_EQ(find_value(text, "model name"), "A B");
  EXPECT_EQ(find_value(text, "empty"), "");
  EXPECT_EQ(find_number(text, "last"), 3);
}

TEST(TextFields, AKeyIsAFullWord) {
  EXPECT_EQ(find_number("oom_kill_disable 0\nunder_oom 0\noom_kill 4\n", "oom_kill"), 4);
  EXPECT_EQ(find_value("processors: 2\n", "processor"), std::nullopt);
  EXPECT_EQ(find_value("", "x"), std::nullopt);
}

}  // namespace
}  // namespace batchscope::host
