#include "batchscope/stats/outliers.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace batchscope::stats {
namespace {

TEST(Outliers, LabelsByTukeysFences) {
  // Quartiles of 1..9 are 3 and 7: inner fences -3 and 13, outer fences -9 and 19.
  const std::vector<double> bulk = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const TukeyFences fences = tukey_fences(bulk);
  EXPECT_EQ(fences.inner_low, -3.0);
  EXPECT_EQ(fences.inner_high, 13.0);
  EXPECT_EQ(fences.outer_low, -9.0);
  EXPECT_EQ(fences.outer_high, 19.0);
  EXPECT_EQ(fences.label(13.0), Outlier::none);
  EXPECT_EQ(fences.label(13.1), Outlier::mild);
  EXPECT_EQ(fences.label(19.0), Outlier::mild);
  EXPECT_EQ(fences.label(19.1), Outlier::extreme);
  EXPECT_EQ(fences.label(-3.1), Outlier::mild);
  EXPECT_EQ(fences.label(-9.1), Outlier::extreme);
}

TEST(Outliers, TheOrderOfTheValuesDoesNotMatter) {
  const std::vector<double> values = {10, 50, 11, 12, 13, 10, 11, 12, 13, 16.5};
  const TukeyFences fences = tukey_fences(values);
  EXPECT_EQ(fences.label(50), Outlier::extreme);
  EXPECT_EQ(fences.label(16.5), Outlier::mild);
  EXPECT_EQ(fences.label(13), Outlier::none);
}

TEST(Outliers, FewValuesHaveNone) {
  const std::vector<double> values = {1, 1, 1000};
  EXPECT_EQ(tukey_fences(values).label(1000), Outlier::none);
  EXPECT_EQ(tukey_fences({}).label(0), Outlier::none);
}

}  // namespace
}  // namespace batchscope::stats
