#include "batchscope/base/base64.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace batchscope::base {
namespace {

TEST(Base64, IsThatOfTheStandard) {
  const std::pair<std::string_view, std::string_view> examples[] = {{"", ""},
                                                                    {"f", "Zg=="},
                                                                    {"fo", "Zm8="},
                                                                    {"foo", "Zm9v"},
                                                                    {"foob", "Zm9vYg=="},
                                                                    {"fooba", "Zm9vYmE="},
                                                                    {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, TakesEveryByte) {
  EXPECT_EQ(base64(std::string_view("\x00\xff\x80", 3)), "AP+A");
  EXPECT_EQ(base64("\xfb\xff\xbf"), "+/+/");
  EXPECT_EQ(from_base64("AP+A"), std::string("\x00\xff\x80", 3));
}

TEST(Base64, RefusesOtherText) {
  for (const char* text : {"Zg", "Zg=\n", "Z*9v", "Zm9v=AAA"})
    EXPECT_FALSE(from_base64(text)) << text;
}

}  // namespace
}  // namespace batchscope::base
