#include "batchscope/stats/multiplicity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "batchscope/stats/rng.hpp"

namespace batchscope::stats {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;

// The closed testing procedure by brute force: a hypothesis is rejected when Bonferroni's test
// rejects every intersection of hypotheses it is part of. Holm's procedure is its short cut, so the
// adjusted p-values agree.
std::vector<double> closed_bonferroni(const std::vector<double>& p) {
  std::vector<double> adjusted(p.size(), 0.0);
  for (unsigned family = 1; family < 1U << p.size(); ++family) {
    double size = 0.0;
    double smallest = 1.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if ((family >> i & 1U) == 0U) continue;
      size += 1.0;
      smallest = std::min(smallest, p[i]);
    }
    const double of_family = std::min(1.0, size * smallest);
    for (std::size_t i = 0; i < p.size(); ++i) {
      if ((family >> i & 1U) != 0U) adjusted[i] = std::max(adjusted[i], of_family);
    }
  }
  return adjusted;
}

std::vector<double> random_p_values(Rng& rng, std::size_t count) {
  std::vector<double> p(count);
  // Squared twice, so that small ones are common; rounded, so that ties occur.
  for (double& value : p) {
    const double u = rng.uniform();
    value = static_cast<double>(static_cast<int>(u * u * u * u * 200.0)) / 200.0;
  }
  return p;
}

TEST(Holm, EqualsClosedTestingByBruteForce) {
  Rng rng(11);
  for (int round = 0; round < 300; ++round) {
    const auto p = random_p_values(rng, 1 + static_cast<std::size_t>(rng.below(7)));
    EXPECT_THAT(holm_adjusted(p), Pointwise(DoubleNear(1e-12), closed_bonferroni(p)));
  }
}

TEST(Holm, RejectsWhatItsAdjustedPSaysAndTheLevelMatchesEachVerdict) {
  Rng rng(12);
  for (int round = 0; round < 300; ++round) {
    const auto p = random_p_values(rng, 1 + static_cast<std::size_t>(rng.below(8)));
    const auto verdicts = holm(p, 0.05);
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_EQ(verdicts[i].rejected, verdicts[i].adjusted_p <= 0.05 + 1e-12);
      EXPECT_EQ(verdicts[i].rejected, p[i] <= verdicts[i].alpha);
      EXPECT_GE(verdicts[i].alpha, 0.05 / static_cast<double>(p.size()));
    }
  }
}

TEST(Holm, StopsAtTheFirstHypothesisThatIs) {
  // 0.03 is above 0.05 / 2, so 0.04 stands although it is below 0.05 / 1.
  const std::vector<double> p = {0.03, 0.001, 0.04};
  const auto verdicts = holm(p, 0.05);
  EXPECT_FALSE(verdicts[0].rejected);
  EXPECT_TRUE(verdicts[1].rejected);
  EXPECT_FALSE(verdicts[2].rejected);
  EXPECT_DOUBLE_EQ(verdicts[1].alpha, 0.05 / 3.0);
  EXPECT_DOUBLE_EQ(verdicts[2].alpha, 0.05 / 2.0);
}

TEST(Holm, EmptyFamily) {
  EXPECT_TRUE(holm({}, 0.05).empty());
}

}  // namespace
}  // namespace batchscope::stats
