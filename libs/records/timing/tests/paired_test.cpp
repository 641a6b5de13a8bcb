#include "batchscope/timing/paired.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace batchscope::timing {
namespace {

TEST(Paired, IsOfTheBlocksThatHaveBothInTheirOrder) {
  const LogsByBlock a{{0, 1.0}, {1, 2.0}, {3, 4.0}, {7, 5.0}}, b{{1, 0.5}, {2, 9.0}, {7, 1.0}};
  EXPECT_THAT(paired(a, b), testing::ElementsAre(1.5, 4.0));
  EXPECT_THAT(paired(b, a), testing::ElementsAre(-1.5, -4.0));
  EXPECT_THAT(blocks_in_both(a, b), testing::ElementsAre(1, 7));
  EXPECT_TRUE(paired(a, {}).empty());
}

}  // namespace
}  // namespace batchscope::timing
