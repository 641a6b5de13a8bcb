#include "visits/output_difference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace batchscope::measure {
namespace {

using testing::HasSubstr;

ModelOutput output(std::vector<int64_t> dimensions, std::vector<float> values,
                   std::vector<float> mask = {}) {
  return {engine::float_tensor("y", std::move(dimensions), values), std::move(mask)};
}

TEST(OutputDifference, IsNoneOfTheSame) {
  const ModelOutput y = output({2, 2}, {1, 2, 3, 4});
  const auto difference = difference_of(y, y);
  ASSERT_TRUE(difference);
  EXPECT_DOUBLE_EQ(difference->cosine, 1);
  EXPECT_EQ(difference->largest_relative_error, 0);
  EXPECT_EQ(difference->values, 4);
}

TEST(OutputDifference, IsThatOfTheWorstVectorAndElement) {
  const auto difference = difference_of(output({2, 2}, {1, 0, 3, 3}), output({2, 2}, {1, 0, 0, 4}));
  ASSERT_TRUE(difference);
  EXPECT_NEAR(difference->cosine, std::sqrt(0.5), 1e-12);
  EXPECT_DOUBLE_EQ(difference->largest_relative_error, 0.75);
}

TEST(OutputDifference, LeavesPaddingOut) {
  const auto difference = difference_of(output({1, 2, 2}, {1, 2, 9, 9}, {1, 0}),
                                        output({1, 2, 2}, {1, 2, 0, 1}, {1, 0}));
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->values, 2);
  EXPECT_EQ(difference->largest_relative_error, 0);
}

TEST(OutputDifference, KnowsVectorsOfZeros) {
  EXPECT_EQ(difference_of(output({1, 2}, {0, 0}), output({1, 2}, {0, 0}))->cosine, 1);
  EXPECT_EQ(difference_of(output({1, 2}, {1, 0}), output({1, 2}, {0, 0}))->cosine, 0);
}

TEST(OutputDifference, RefusesWhatCannotBeCompared) {
  const auto shapes = difference_of(output({1, 2}, {1, 2}), output({2, 1}, {1, 2}));
  EXPECT_THAT(shapes.error().what, HasSubstr("[1, 2]"));
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(difference_of(output({1, 1}, {infinite}), output({1, 1}, {1})));
  EXPECT_FALSE(difference_of(output({0, 2}, {}), output({0, 2}, {})));
  EXPECT_FALSE(difference_of(output({1, 1, 1}, {1}, {0}), output({1, 1, 1}, {1}, {0})));
}

}  // namespace
}  // namespace batchscope::measure
