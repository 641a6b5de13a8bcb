#include "texts/cycle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace batchscope::engines {
namespace {

std::vector<std::string> of_lengths(int n) {
  std::vector<std::string> texts;
  for (int i = 0; i < n; ++i) texts.push_back(std::string(static_cast<std::size_t>(i), 'x'));
  return texts;
}

std::vector<std::size_t> sizes(const std::vector<std::string>& texts) {
  std::vector<std::size_t> all;
  for (const std::string& text : texts) all.push_back(text.size());
  return all;
}

TEST(ChooseTexts, AreTheQuantilesOfTheLengths) {
  auto chosen = sizes(choose_texts(of_lengths(320), 4, 1));
  ASSERT_EQ(chosen.size(), 32U);
  EXPECT_FALSE(std::is_sorted(chosen.begin(), chosen.end())) << "in order of arrival";
  std::sort(chosen.begin(), chosen.end());
  for (std::size_t i = 0; i < chosen.size(); ++i) EXPECT_EQ(chosen[i], 10 * i + 5);
}

TEST(ChooseTexts, AreFullBatchesAndAtLeastTwo) {
  for (const int64_t batch : {1, 3, 8, 20, 64}) {
    const auto n = static_cast<int64_t>(choose_texts(of_lengths(100), batch, 1).size());
    EXPECT_EQ(n % batch, 0) << batch;
    EXPECT_GE(n, std::max<int64_t>(32, 2 * batch)) << batch;
    EXPECT_LT(n, std::max<int64_t>(32, 2 * batch) + batch) << batch;
  }
}

TEST(ChooseTexts, AreTheSameForTheSameSeed) {
  const auto texts = of_lengths(100);
  EXPECT_EQ(choose_texts(texts, 8, 5), choose_texts(texts, 8, 5));
  EXPECT_NE(choose_texts(texts, 8, 5), choose_texts(texts, 8, 6));
}

TEST(ChooseTexts, RepeatWhatIsTooFew) {
  const auto chosen = choose_texts({"one", "three"}, 1, 1);
  EXPECT_EQ(chosen.size(), 32U);
  EXPECT_EQ(std::count(chosen.begin(), chosen.end(), "one"), 16);
}

TEST(SortByLength, IsLongestFirstAndStable) {
  std::vector<std::string> texts{"b", "cc", "a", "dddd"};
  sort_by_length(texts, std::vector<int64_t>{1, 3, 1, 2});
  EXPECT_THAT(texts, testing::ElementsAre("cc", "dddd", "b", "a"));
}

}  // namespace
}  // namespace batchscope::engines
