#include "batchscope/stats/poisson.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace batchscope::stats {
namespace {

// P(count <= most) at the mean.
double at_most(int most, double mean) {
  double term = std::exp(-mean), sum = term;
  for (int k = 1; k <= most; ++k) sum += term *= mean / k;
  return sum;
}

TEST(Poisson, BoundsLeaveTheErrorRateInEachTail) {
  for (const int seen : {0, 1, 2, 5, 20, 100}) {
    for (const double level : {0.9, 0.95, 0.99}) {
      EXPECT_NEAR(at_most(seen, poisson_upper(seen, level)), 1 - level, 1e-9) << seen;
      if (seen == 0) continue;
      EXPECT_NEAR(1 - at_most(seen - 1, poisson_lower(seen, level)), 1 - level, 1e-9) << seen;
    }
  }
}

TEST(Poisson, OfNoneTheUpperBoundIsThree) {
  EXPECT_NEAR(poisson_upper(0), 2.996, 0.001);
  EXPECT_EQ(poisson_lower(0), 0);
}

}  // namespace
}  // namespace batchscope::stats
