#include "batchscope/bytes/peeked_source.hpp"

#include <gtest/gtest.h>

#include <array>

namespace batchscope::bytes {
namespace {

std::string all_of(ByteSource& source, size_t at_once) {
  std::string all;
  std::array<char, 64> piece{};
  while (const size_t got = source.read(std::span(piece).first(at_once))) {
    all.append(piece.data(), got);
  }
  return all;
}

TEST(PeekedSource, GivesWhatItLookedAtOnceMore) {
  const std::string text = "SQLite format 3 and more";
  for (const size_t at_once : {1U, 5U, 64U}) {
    for (const size_t looked_at : {0U, 6U, 24U, 60U}) {
      PeekedSource source(bytes_of(text), looked_at);
      EXPECT_EQ(source.head(), text.substr(0, looked_at));
      EXPECT_EQ(all_of(source, at_once), text) << looked_at << ", " << at_once;
    }
  }
}

}  // namespace
}  // namespace batchscope::bytes
