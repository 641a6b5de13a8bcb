#include "batchscope/base/algorithms.hpp"

#include <gmock/gmock.h>

#include <array>
#include <string>

#include "batchscope/base/parse_number.hpp"

namespace batchscope::base {
namespace {

using ::testing::ElementsAre;

TEST(Algorithms, TakeFullRanges) {
  constexpr std::array kSizes{1, 2, 4};
  EXPECT_TRUE(contains(kSizes, 4));
  EXPECT_FALSE(contains(kSizes, 3));
  EXPECT_THAT(mapped(kSizes, [](int size) { return std::to_string(size); }),
              ElementsAre("1", "2", "4"));
}

TEST(Algorithms, KeepSomeAndFindTheLargest) {
  const std::vector<int> sizes{1, 8, 4};
  const auto half = [](int size) { return size / 2; };
  EXPECT_THAT(kept(sizes, [](int size) { return size > 1; }), ElementsAre(8, 4));
  EXPECT_EQ(largest_of(sizes, half, 0), 4);
  EXPECT_EQ(largest_of(std::vector<int>{}, half, 7), 7);
}

TEST(Algorithms, AddWhatIsNew) {
  std::vector<std::string> names{"a"};
  add_if_new(names, std::string("b"));
  add_if_new(names, std::string("a"));
  EXPECT_THAT(names, ElementsAre("a", "b"));
}

TEST(ParseNumber, TakesAllOfTheText) {
  EXPECT_EQ(parse_number<int>("-12"), -12);
  EXPECT_EQ(parse_number<double>("2.5"), 2.5);
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "99999999999"}) {
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace batchscope::base
