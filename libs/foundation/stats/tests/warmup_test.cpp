#include "batchscope/stats/warmup.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "batchscope/stats/rng.hpp"

namespace batchscope::stats {
namespace {

using Visits = std::vector<std::vector<double>>;

// `visits` visits of `length` iterations; the first is `excess` slower, halving with each, and each
// time scatters by `sd`.
Visits simulate(int visits, int length, double excess, double sd, double time = 1e7) {
  Rng rng(42);
  Visits all;
  for (int v = 0; v < visits; ++v) {
    std::vector<double>& visit = all.emplace_back();
    const double process = 0.02 * rng.normal();
    for (int i = 0; i < length; ++i) {
      visit.push_back(time * (1 + std::ldexp(excess, -i)) * std::exp(process + sd * rng.normal()));
    }
  }
  return all;
}

std::vector<std::span<const double>> spans(const Visits& visits) {
  return {visits.begin(), visits.end()};
}

TEST(NeededWarmup, IsNoneWhereTimesAreSteady) {
  const auto need = needed_warmup(spans(simulate(24, 12, 0, 0.005)));
  EXPECT_TRUE(need.determined);
  EXPECT_EQ(need.iterations, 0u);
  EXPECT_EQ(need.visits, 24u);
}

TEST(NeededWarmup, EndsWhereTheExcessFallsBelowOnePercent) {
  // 50, 25, 12.5, 6.3, 3.1, 1.6 %, then 0.8 %.
  const auto need = needed_warmup(spans(simulate(48, 30, 0.5, 0.002)));
  EXPECT_TRUE(need.determined);
  EXPECT_EQ(need.iterations, 6u);
}

TEST(NeededWarmup, IsNotFooledByOneSlowVisit) {
  Visits visits = simulate(24, 12, 0, 0.005);
  visits[3][0] *= 5;
  EXPECT_EQ(needed_warmup(spans(visits)).iterations, 0u);
}

TEST(NeededWarmup, SaysWhenVisitsAreTooFew) {
  EXPECT_FALSE(needed_warmup(spans(simulate(5, 12, 0.5, 0.002))).determined);
  EXPECT_FALSE(needed_warmup({}).determined);
}

TEST(NeededWarmup, SaysWhenVisitsAreTooShort) {
  const auto need = needed_warmup(spans(simulate(48, 6, 4, 0.002)));
  EXPECT_FALSE(need.determined);
  EXPECT_EQ(need.iterations, 3u);  // indices 0 to 2 have 3 later ones, and all are slow
}

// `slow` iterations that take 30 % longer, then none.
Visits step(int visits, int length, int slow) {
  Visits all = simulate(visits, length, 0, 0.005);
  for (auto& visit : all) {
    for (int i = 0; i < std::min(slow, length); ++i) visit[static_cast<std::size_t>(i)] *= 1.3;
  }
  return all;
}

TEST(NeededWarmup, IsFoundWhereverInTheVisitItEnds) {
  for (const int slow : {1, 7, 25, 60, 250, 600}) {
    const auto need = needed_warmup(spans(step(12, 1000, slow)));
    EXPECT_TRUE(need.determined) << slow;
    EXPECT_GE(need.iterations, static_cast<std::size_t>(slow));
    EXPECT_LE(static_cast<double>(need.iterations), 1.5 * slow + 1) << slow;
    EXPECT_NEAR(need.first_excess, std::log(1.3), 0.02) << slow;
    EXPECT_NEAR(need.last_excess, std::log(1.3), 0.15) << slow;
  }
}

TEST(NeededWarmup, IsNotDeterminedWhereItEndsLate) {
  for (const int slow : {88, 94}) {
    EXPECT_FALSE(needed_warmup(spans(step(12, 100, slow))).determined) << slow;
  }
  EXPECT_TRUE(needed_warmup(spans(step(12, 100, 100))).determined);
}

TEST(PooledWarmup, JudgesLongIterationsApart) {
  Visits visits = simulate(24, 30, 0.5, 0.002);
  for (auto& visit : simulate(24, 6, 0, 0.002, 5e8)) visits.push_back(visit);
  const auto pooled = pooled_warmup(spans(visits));
  EXPECT_EQ(pooled.of(1e7).iterations, 6u);
  EXPECT_EQ(pooled.of(5e8).iterations, 0u);
  EXPECT_TRUE(pooled.of(5e8).determined);
  EXPECT_EQ(pooled.of(5e8).visits, 24u);
}

}  // namespace
}  // namespace batchscope::stats
