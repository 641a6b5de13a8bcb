#include "batchscope/base/counted.hpp"

#include <gtest/gtest.h>

namespace batchscope::base {
namespace {

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(1, "block"), "1 block");
  EXPECT_EQ(counted(std::size_t{1}, "batch"), "1 batch");
}

TEST(Counted, OthersArePlural) {
  EXPECT_EQ(counted(0, "fresh visit"), "0 fresh visits");
  EXPECT_EQ(counted(21, "block"), "21 blocks");
  EXPECT_EQ(counted(int64_t{2}, "batch"), "2 batches");
  EXPECT_EQ(counted(3U, "process"), "3 processes");
}

}  // namespace
}  // namespace batchscope::base
