#include "batchscope/base/strings.hpp"

#include <gmock/gmock.h>

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

TEST(Strings, LowerChangesAsciiOnly) {
  EXPECT_EQ(to_lower("GiB \xC3\x84Z"), "gib \xC3\x84z");
}

TEST(Strings, VisibleTakesControlCharactersButNewlines) {
  EXPECT_EQ(visible("a\x1b[2Jb\tc\x7f\n\xC3\x84"), "a?[2Jb?c?\n\xC3\x84");
}

}  // namespace
}  // namespace batchscope::base
