#include "batchscope/base/characters.hpp"

#include <gtest/gtest.h>

namespace batchscope::base {
namespace {

TEST(Clean, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(clean("distilbert α/β – 模型 \"x\" `y`"), "distilbert α/β – 模型 \"x\" `y`");
}

TEST(Clean, RemovesColourAndCursorSequencesFull) {
  EXPECT_EQ(clean("a\x1b[1;31mred\x1b[0m\x1b[2Jb"), "aredb");
  EXPECT_EQ(clean("a\xc2\x9b"
                  "31mb"),
            "ab");  // the one-character form of ESC [
}

TEST(Clean, RemovesTitlesAndHyperlinksWithTheirText) {
  EXPECT_EQ(clean("a\x1b]0;new title\x07"
                  "b"),
            "ab");
  EXPECT_EQ(clean("a\x1b]8;;http://x\x1b\\b"), "ab");
}

TEST(Clean, AnOpeningThatNeverEndsDoesNotSwallowTheRest) {
  EXPECT_EQ(clean("a\x1b]0;rest"), "a0;rest");
  EXPECT_EQ(clean("a\x1b[1;"), "a");
  EXPECT_EQ(clean("a\x1b"), "a");
}

TEST(Clean, LineBreaksAndTabsBecomeSpacesOtherControlsVanish) {
  EXPECT_EQ(clean(std::string("a\nb\tc\rd\0e\x7f\x08", 11)), "a b c de");
  EXPECT_EQ(clean("a\xe2\x80\xa8"
                  "b"),
            "a b");  // line separator
}

TEST(Clean, RemovesInvisibleAndDirectionChangingCharacters) {
  EXPECT_EQ(clean("a\xe2\x80\xae"
                  "b\xe2\x80\x8b"
                  "c\xef\xbb\xbf"
                  "d"),
            "abcd");
}

TEST(Clean, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(clean("a\xff"
                  "b"),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(clean("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");  // overlong
  EXPECT_EQ(clean("\xe2\x80"), "\xef\xbf\xbd\xef\xbf\xbd");  // cut off
}

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("±0.31"), 5u);
  EXPECT_EQ(display_width("模型"), 4u);
  EXPECT_EQ(display_width("e\xcc\x81"), 1u);  // e with a combining accent
}

TEST(Shorten, KeepsBothEnds) {
  EXPECT_EQ(shorten("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shorten("abcdefghijk", 7), "abc…ijk");
  EXPECT_LE(display_width(shorten("模型模型模型", 7)), 7u);
}

TEST(ToAscii, SpellsTypographicSigns) {
  EXPECT_EQ(to_ascii("±1 – a → b · é"), "+-1 - a -> b | ?");
}

}  // namespace
}  // namespace batchscope::base
