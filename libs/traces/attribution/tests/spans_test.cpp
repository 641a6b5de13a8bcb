#include "batchscope/attribution/spans.hpp"

#include <gtest/gtest.h>

namespace batchscope::attribution {
namespace {

TEST(Spans, UnitedAreInOrderApartAndNotEmpty) {
  EXPECT_EQ(united({{7, 9}, {1, 3}, {2, 5}, {5, 6}, {9, 9}, {12, 11}}), (Spans{{1, 6}, {7, 9}}));
  EXPECT_EQ(united({{0, 10}, {2, 3}, {4, 5}}), (Spans{{0, 10}}));
  EXPECT_TRUE(united({}).empty());
}

TEST(Spans, WithoutCutsWhatLiesInOthers) {
  EXPECT_EQ(without({{0, 10}, {20, 30}}, {{2, 4}, {8, 22}}), (Spans{{0, 2}, {4, 8}, {22, 30}}));
  EXPECT_EQ(without({{0, 10}}, {}), (Spans{{0, 10}}));
  EXPECT_TRUE(without({{3, 4}}, {{0, 10}}).empty());
  EXPECT_EQ(without({{0, 2}, {3, 5}}, {{1, 4}}), (Spans{{0, 1}, {4, 5}}));
}

// One cut may end several spans and begin in the one before.
TEST(Spans, WithoutCheckingACutAgain) {
  EXPECT_EQ(without({{0, 4}, {5, 6}, {7, 12}}, {{3, 8}, {9, 10}}),
            (Spans{{0, 3}, {8, 9}, {10, 12}}));
}

TEST(Spans, BetweenIsTheRestOfTheTime) {
  EXPECT_EQ(between({{2, 3}, {5, 20}}, 0, 10), (Spans{{0, 2}, {3, 5}}));
  EXPECT_EQ(between({}, 1, 2), (Spans{{1, 2}}));
  EXPECT_TRUE(between({{0, 1}}, 5, 5).empty());
  EXPECT_TRUE(between({{0, 1}}, 5, 4).empty());
}

TEST(Spans, TouchingAreFullAndNotThoseThatEndWhereItBegins) {
  const Spans spans{{0, 2}, {3, 5}, {6, 8}, {9, 12}};
  EXPECT_EQ(touching(spans, 2, 9), (Spans{{3, 5}, {6, 8}}));
  EXPECT_EQ(touching(spans, 4, 10), (Spans{{3, 5}, {6, 8}, {9, 12}}));
  EXPECT_TRUE(touching(spans, 20, 30).empty());
}

}  // namespace
}  // namespace batchscope::attribution
