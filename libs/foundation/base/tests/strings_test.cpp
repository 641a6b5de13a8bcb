#include "batchscope/base/strings.hpp"

#include <gmock/gmock.h>

#include "batchscope/base/characters.hpp"

namespace batchscope::base {
namespace {

using ::testing::ElementsAre;

TEST(Strings, TrimTakesWhiteSpaceFromBothEnds) {
  EXPECT_EQ(trim("  a b\t\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Strings, SplitKeepsEmptyParts) {
  EXPECT_THAT(split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Strings, JoinPutsSeparatorsBetween) {
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"", ""}, ","), ",");
}

TEST(Strings, SentencesBeginAndEndAsTheyAreNeeded) {
  EXPECT_EQ(capitalised("batch 4"), "Batch 4");
  EXPECT_EQ(capitalised("4 blocks"), "4 blocks");
  EXPECT_EQ(uncapitalised("GPU of Others"), "gPU of Others");
  EXPECT_EQ(capitalised("") + uncapitalised("") + without_period(""), "");
  EXPECT_EQ(without_period("Stop it.."), "Stop it.");
}

TEST(Strings, LowerChangesAsciiOnly) {
  EXPECT_EQ(to_lower("GiB \xC3\x84Z"), "gib \xC3\x84z");
}

TEST(Strings, VisibleSpellsControlCharactersOut) {
  EXPECT_EQ(visible("a\x1b[2Jb\tc\x7f\n\xC3\x84\r"), "a\\x1b[2Jb\tc\\x7f\n\xC3\x84\\x0d");
  EXPECT_EQ(visible(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(visible("a\u202E\u2066\u061C\u200F\u2013b"), "a\\u202e\\u2066\\u061c\\u200f\u2013b");
}

TEST(Strings, VisibleSpellsOutTheControlCharactersOfEightBits) {
  EXPECT_EQ(visible("\xC2\x9B"
                    "2J \xC2\x80 \xC2\x9F \xC2\xA0"),
            "\\x9b2J \\x80 \\x9f \xC2\xA0");
  EXPECT_EQ(visible("raw \x9B"
                    "2J caf\xE9 \xE2\x82"),
            "raw \\x9b2J caf\\xe9 \\xe2\\x82");
}

TEST(Strings, VisibleKeepsJsonWhatItIs) {
  EXPECT_EQ(visible_json("{\"a\":\n\"\x7f\xC2\x9B\"}"), "{\"a\":\n\"\\u007f\\u009b\"}");
}

}  // namespace
}  // namespace batchscope::base
