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
  for (const auto& [bytes, text] : examples) EXPECT_EQ(base64(bytes), text);
}

TEST(Base64, TakesEveryByte) {
  EXPECT_EQ(base64(std::string_view("\x00\xff\x80", 3)), "AP+A");
  EXPECT_EQ(base64("\xfb\xff\xbf"), "+/+/");
}

}  // namespace
}  // namespace batchscope::base
