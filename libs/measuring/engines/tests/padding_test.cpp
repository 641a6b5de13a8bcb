#include "batchscope/engines/padding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace batchscope::engines {
namespace {

using schema::Padding;

TEST(Padding, IsReadInItsThreeForms) {
  EXPECT_EQ(padded_length(Padding("longest"), 13, 100), 13);
  EXPECT_EQ(padded_length(Padding("multiple:8"), 13, 100), 16);
  EXPECT_EQ(padded_length(Padding("multiple:8"), 16, 100), 16);
  EXPECT_EQ(padded_length(Padding("max"), 13, 100), 100);
  EXPECT_EQ(padded_length(Padding("multiple:8"), 99, 100), 100)
      << "not beyond what the model takes";
}

TEST(Padding, RefusesTheRest) {
  for (const char* text : {"", "short", "multiple:", "multiple:0", "multiple:-8", "multiple:8x",
                           "multiple:99999999999999999999", "Longest"}) {
    const Padding padding{std::string_view(text)};
    EXPECT_EQ(padding.text(), text) << "and keeps it";
    const auto known = check_padding(padding);
    ASSERT_FALSE(known) << text;
    EXPECT_EQ(known.error().kind, base::ErrorKind::usage) << text;
  }
}

TEST(SplitByBudget, HasOnePartWithoutABudget) {
  const std::vector<int64_t> lengths{3, 9, 5};
  const auto parts = split_by_budget(lengths, {}, 64, 0);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].count, 3U);
  EXPECT_EQ(parts[0].padded, 9);
}

// Against what it promises: all rows once and in order, each part within the budget unless it is
// one row, and no row that would have fit left to the next part.
TEST(SplitByBudget, KeepsItsPromisesOnRandomBatches) {
  std::mt19937 generator(3);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<int64_t> lengths(1 + generator() % 20);
    for (int64_t& length : lengths) length = 1 + static_cast<int64_t>(generator() % 40);
    const Padding padding("multiple:" + std::to_string(1 + generator() % 8));
    const int64_t budget = 1 + static_cast<int64_t>(generator() % 200);
    const auto parts = split_by_budget(lengths, padding, 64, budget);
    std::size_t next = 0;
    for (const SubBatch& part : parts) {
      ASSERT_EQ(part.first, next);
      ASSERT_GE(part.count, 1U);
      int64_t longest = 0;
      for (std::size_t i = 0; i < part.count; ++i) longest = std::max(longest, lengths[next + i]);
      EXPECT_EQ(part.padded, padded_length(padding, longest, 64));
      if (part.count > 1) {
        EXPECT_LE(part.padded * static_cast<int64_t>(part.count), budget);
      }
      next += part.count;
      if (next == lengths.size()) continue;
      const int64_t together = std::max(part.padded, padded_length(padding, lengths[next], 64));
      EXPECT_GT(together * static_cast<int64_t>(part.count + 1), budget);
    }
    EXPECT_EQ(next, lengths.size());
  }
}

}  // namespace
}  // namespace batchscope::engines
