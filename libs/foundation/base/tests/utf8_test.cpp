#include <gtest/gtest.h>

#include <string>

#include "batchscope/base/characters.hpp"

namespace batchscope::base {
namespace {

TEST(Utf8, TakesEveryKindOfCharacter) {
  for (const char* text : {"", "a", "plain ASCII of more than eight bytes", "é", "ж", "語", "😀",
                           "\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_FALSE(first_not_utf8(text)) << text;
  }
  EXPECT_FALSE(first_not_utf8(std::string_view("a\0b", 3)));
}

TEST(Utf8, FindsTheFirstByteThatBeginsNoCharacter) {
  const struct {
    const char* text;
    std::size_t at;
  } rows[] = {
      {"\x80", 0},              // a continuation first
      {"abc\xFF", 3},           // never a byte of UTF-8
      {"12345678\xC3(", 8},     // its continuation is missing
      {"é\xC3", 2},             // cut off at the end
      {"\xC0\xAF", 0},          // overlong
      {"\xE0\x80\xAF", 0},      // overlong
      {"\xF0\x82\x82\xAC", 0},  // overlong
      {"\xED\xA0\x80", 0},      // a surrogate
      {"\xF4\x90\x80\x80", 0},  // above U+10FFFF
      {"\xF0\x9F\x98", 0},      // an emoji cut off
      {"a\xE9t\xE9", 1},        // Latin-1
  };
  for (const auto& row : rows) {
    const auto at = first_not_utf8(row.text);
    ASSERT_TRUE(at) << row.text;
    EXPECT_EQ(*at, row.at) << row.text;
  }
}

// Every sequence of two and three bytes, against the definition by decoding.
TEST(Utf8, AgreesWithDecoding) {
  const auto valid = [](unsigned a, unsigned b, unsigned c) {
    if (a < 0x80) return false;  // only what begins a longer character is in question
    if ((c & 0xC0U) != 0x80 || (b & 0xC0U) != 0x80 || (a & 0xF0U) != 0xE0) return false;
    const unsigned point = ((a & 0x0FU) << 12) | ((b & 0x3FU) << 6) | (c & 0x3FU);
    return point >= 0x800 && (point < 0xD800 || point > 0xDFFF);
  };
  for (unsigned a = 0xE0; a < 0xF0; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      const std::string text{static_cast<char>(a), static_cast<char>(b), '\x80'};
      EXPECT_EQ(!first_not_utf8(text), valid(a, b, 0x80)) << a << " " << b;
    }
  }
}

}  // namespace
}  // namespace batchscope::base
