#include "batchscope/base/enum_names.hpp"

#include <gtest/gtest.h>

namespace batchscope::base {
namespace {

enum class Size { small, large, unnamed };

constexpr std::array kSizes = {Name<Size>{Size::small, "small"}, Name<Size>{Size::large, "large"}};

TEST(EnumNames, GoBothWays) {
  EXPECT_EQ(name_of(kSizes, Size::large), "large");
  EXPECT_EQ(name_of(kSizes, Size::unnamed), "?");
  EXPECT_EQ(*value_of(kSizes, "size", "small"), Size::small);
}

TEST(EnumNames, AWrongOneIsReportedTheOthers) {
  const auto wrong = value_of(kSizes, "size", "huge");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::usage);
  EXPECT_EQ(wrong.error().what, "'huge' is not a size");
  EXPECT_EQ(wrong.error().fix, "choose one of small, large");
}

}  // namespace
}  // namespace batchscope::base
