// Whole-procedure simulations: do intervals hold, and tests err, as often as they say? A rate
// passes when its 99 % Clopper-Pearson interval does not exclude the goal; seeds are fixed and
// printed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/stats/multiplicity.hpp"
#include "noise_model.hpp"

namespace batchscope::stats {
namespace {

constexpr uint64_t kSeed = 61;

struct Rate {
  std::size_t count = 0;
  std::size_t rounds = 0;

  Interval interval() const { return clopper_pearson(count, rounds, 0.99); }
  std::string describe() const {
    return std::to_string(count) + " of " + std::to_string(rounds) + ", seed " +
           std::to_string(kSeed);
  }
};

void expect_at_most(const Rate& rate, double goal, const std::string& what) {
  EXPECT_LE(rate.interval().low, goal) << what << ": " << rate.describe();
}

void expect_equal(const Rate& rate, double goal, const std::string& what) {
  EXPECT_TRUE(rate.interval().contains(goal)) << what << ": " << rate.describe();
}

Rate count_rounds(std::size_t rounds, uint64_t stream, const std::function<bool(Rng&)>& round) {
  Rng rng(mix_seed(kSeed, stream));
  Rate rate{0, rounds};
  for (std::size_t i = 0; i < rounds; ++i) {
    if (round(rng)) ++rate.count;
  }
  return rate;
}

std::vector<double> draw(Rng& rng, std::size_t n, const std::function<double(Rng&)>& one) {
  std::vector<double> values(n);
  for (double& value : values) value = one(rng);
  return values;
}

constexpr NoiseModel kSpiked{};
constexpr NoiseModel kSpikedQuiet{.visit_sd = 0.02, .process_sd = 0.01};
constexpr NoiseModel kSpikedLoud{.visit_sd = 0.05, .process_sd = 0.02};
constexpr double kAlphas[] = {0.05, 0.01, 0.05 / 14.0};

class MethodCoverage : public ::testing::TestWithParam<Method> {};

TEST_P(MethodCoverage, IsExactUnderNormalNoise) {
  for (const std::size_t n : {5U, 6U, 10U, 12U, 20U, 60U}) {
    for (const double alpha : kAlphas) {
      const Rate wrong = count_rounds(20000, n, [&](Rng& rng) {
        const auto values = draw(rng, n, [](Rng& r) { return 3.0 + r.normal(); });
        const auto interval = mean_interval(values, 1.0 - alpha, GetParam());
        return interval->low > 3.0 || interval->high < 3.0;
      });
      expect_equal(wrong, alpha, "n " + std::to_string(n) + ", alpha " + std::to_string(alpha));
    }
  }
}

TEST_P(MethodCoverage, EqualConfigurationsAreRarelyCalledDifferent) {
  for (const std::size_t blocks : {6U, 8U, 12U, 16U, 20U}) {
    for (const NoiseModel& model : {kSpikedQuiet, kSpiked, kSpikedLoud}) {
      for (const double alpha : kAlphas) {
        const Rate wrong = count_rounds(8000, blocks, [&](Rng& rng) {
          const auto contrasts = draw_contrasts(rng, model, blocks);
          return p_differs(*estimate_mean(contrasts, GetParam())) < alpha;
        });
        expect_at_most(wrong, alpha, "blocks " + std::to_string(blocks));
      }
    }
  }
}

TEST_P(MethodCoverage, HoldsForPairedLognormalNoise) {
  // Times that scatter by half, compared as logarithms and as plain differences of equal
  // distributions.
  for (const std::size_t n : {6U, 12U, 20U}) {
    const Rate wrong = count_rounds(8000, n, [&](Rng& rng) {
      const auto differences = draw(
          rng, n, [](Rng& r) { return std::exp(0.5 * r.normal()) - std::exp(0.5 * r.normal()); });
      return p_differs(*estimate_mean(differences, GetParam())) < 0.05;
    });
    expect_at_most(wrong, 0.05, "n " + std::to_string(n));
  }
}

TEST_P(MethodCoverage, OneSidedAndMarginTestsHoldAtTheEdge) {
  const double delta = std::log1p(0.03);
  for (const std::size_t n : {6U, 12U}) {
    const auto at_edge = [&](Rng& rng) {
      return *estimate_mean(draw_contrasts(rng, kSpiked, n, delta), GetParam());
    };
    expect_at_most(
        count_rounds(8000, n, [&](Rng& rng) { return p_greater(at_edge(rng), delta) < 0.05; }),
        0.05, "greater");
    expect_at_most(
        count_rounds(8000, n, [&](Rng& rng) { return p_less(at_edge(rng), delta) < 0.05; }), 0.05,
        "less");
    expect_at_most(
        count_rounds(8000, n,
                     [&](Rng& rng) { return p_outside_margin(at_edge(rng), delta) < 0.05; }),
        0.05, "outside the margin");
  }
}

TEST_P(MethodCoverage, IndependentSamplesOfUnequalSpread) {
  const Rate wrong = count_rounds(8000, 1, [&](Rng& rng) {
    const auto a = draw(rng, 8, [](Rng& r) { return 5.0 + r.normal(); });
    const auto b = draw(rng, 14, [](Rng& r) { return 5.0 + 3.0 * r.normal(); });
    return !two_sided_interval(*estimate_difference(a, b, GetParam()), 0.95).contains(0.0);
  });
  // Satterthwaite's degrees of freedom are an approximation: half a point is granted.
  expect_at_most(wrong, 0.055, "Welch");
}

TEST_P(MethodCoverage, HolmKeepsTheFamilyUnderDependence) {
  // Eight contrasts with one shared baseline, as the sizes of a sweep have.
  const Rate wrong = count_rounds(3000, 2, [&](Rng& rng) {
    std::vector<std::vector<double>> contrasts(8, std::vector<double>(12));
    for (std::size_t block = 0; block < 12; ++block) {
      const double baseline = draw_log_time(rng, kSpiked);
      for (auto& contrast : contrasts) contrast[block] = draw_log_time(rng, kSpiked) - baseline;
    }
    std::vector<double> p;
    for (const auto& c : contrasts) p.push_back(p_differs(*estimate_mean(c, GetParam())));
    bool any = false;
    for (const HolmVerdict& verdict : holm(p, 0.05)) any = any || verdict.rejected;
    return any;
  });
  expect_at_most(wrong, 0.05, "any false claim");
}

INSTANTIATE_TEST_SUITE_P(Methods, MethodCoverage,
                         ::testing::Values(Method::student_t, Method::yuen_trimmed),
                         [](const auto& param_info) {
                           return param_info.param == Method::student_t ? "student_t"
                                                                        : "yuen_trimmed";
                         });

TEST(DefaultMethod, FindsARealExcessMoreOftenThanStudentUnderSpikes) {
  const auto power = [](Method method) {
    return count_rounds(4000, 3, [&](Rng& rng) {
      const auto contrasts = draw_contrasts(rng, kSpikedQuiet, 12, std::log1p(0.10));
      return p_greater(*estimate_mean(contrasts, method), std::log1p(0.03)) < 0.05 / 8.0;
    });
  };
  const Rate student = power(Method::student_t);
  const Rate chosen = power(kDefaultMethod);
  EXPECT_GT(chosen.interval().low, student.interval().high)
      << chosen.describe() << " against " << student.describe();
}

TEST(QuantileRanks, EncloseTheTruthAtLeastAsOftenAsTheLevel) {
  for (const double probability : {0.5, 0.9}) {
    const double truth = probability == 0.5 ? std::log(2.0) : std::log(10.0);
    const auto ranks = quantile_ranks(50, probability, 0.95);
    ASSERT_TRUE(ranks);
    const Rate missed = count_rounds(8000, 4, [&](Rng& rng) {
      auto values = draw(rng, 50, [](Rng& r) { return -std::log1p(-r.uniform()); });
      std::sort(values.begin(), values.end());
      return values[ranks->low - 1] > truth || values[ranks->high - 1] < truth;
    });
    expect_at_most(missed, 0.05, "quantile " + std::to_string(probability));
  }
}

}  // namespace
}  // namespace batchscope::stats
