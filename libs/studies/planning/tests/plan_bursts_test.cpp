#include <cmath>

#include "batchscope/planning/simulate.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "plan_cases.hpp"

namespace batchscope::planning {
namespace {

constexpr BurstyArrivals kBursts{.factor = 4, .share = 0.1, .burst_s = 4};
constexpr double kRate = 8;

// 100 ms alone, 8 at once in 520 ms: 15.4 a second, and in bursts 32 come.
MeasuredCosts slow() {
  return {serving::affine_table(0.060, 0.040, kSizes), {}, kSizes, {}};
}

PlanRequest bursty() {
  PlanRequest request{.rate_per_s = kRate};
  request.arrivals = {"bursty(4,10%,4s)", kBursts};
  request.instances = 1;
  return request;
}

// As a fluid, in which requests arrive and leave without grains: the queue is longer than x for a
// share of the requests that falls as exp(-theta x).
double fluid_p99_s() {
  const double capacity = 8 / 0.52, burst = kBursts.factor * kRate;
  const double calm = kRate * (1 - kBursts.factor * kBursts.share) / (1 - kBursts.share);
  const double up = burst - capacity, down = capacity - calm;
  const double calm_s = kBursts.burst_s * (1 - kBursts.share) / kBursts.share;
  const double theta = 1 / (kBursts.burst_s * up) - 1 / (calm_s * down);
  const double share = kBursts.share * (burst + calm * up / down) / kRate;
  return std::log(share / 0.01) / theta / capacity;
}

TEST(PlanBursts, TheDefaultSeesEnoughOfThemForTheTail) {
  constexpr std::size_t kLong = 20 * 64'000;  // times as many as the default
  const auto made = plan(slow(), bursty());
  ASSERT_TRUE(made);
  const double p99_s = find(*made, "take-all")->p99_ms->value / 1e3;
  std::vector<double> latencies_s;
  for (uint64_t seed = 50; seed < 55; ++seed) {
    const auto arrivals = draw_arrivals(bursty().arrivals, kRate, kLong, {}, seed);
    const Simulation run = simulate(slow().table, *make_policy(serving::TakeAll{.max_batch = 8}),
                                    arrivals, {.seed = seed});
    latencies_s.insert(latencies_s.end(), run.latencies_s.begin(), run.latencies_s.end());
  }
  const double truth_s = stats::quantile(latencies_s, 0.99);
  EXPECT_NEAR(truth_s, fluid_p99_s(), 0.08 * fluid_p99_s());
  EXPECT_NEAR(p99_s, truth_s, 0.15 * truth_s);
  EXPECT_THAT(made->warnings, Not(Contains(HasSubstr("bursts on average"))));
}

// In five series of 20 bursts each the longest are in few of them.
TEST(PlanBursts, QuantilesAreThoseOfAllSeriesTogether) {
  double sum_s = 0;
  constexpr int kPlans = 40;
  for (int seed = 1; seed <= kPlans; ++seed) {
    PlanRequest request = bursty();
    request.requests = 6400;
    request.seed = static_cast<uint64_t>(seed);
    sum_s += find(*plan(slow(), request), "take-all")->p99_ms->value / 1e3;
  }
  EXPECT_NEAR(sum_s / kPlans, fluid_p99_s(), 0.12 * fluid_p99_s());
}

// One long burst in one of five series: the quantile of all is beyond the mean of the series' own.
TEST(PlanBursts, IntervalsHoldTheQuantileOfAllSeriesAndNothingBelowZero) {
  PlanRequest request = bursty();
  request.requests = 2000;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    request.seed = seed;
    const auto made = plan(slow(), request);
    ASSERT_TRUE(made);
    for (const PolicyPlan& policy : made->policies) {
      for (const auto& quantile : {policy.p50_ms, policy.p90_ms, policy.p99_ms}) {
        EXPECT_GE(quantile->ci->low, 0);
        EXPECT_LE(quantile->ci->low, quantile->value);
        EXPECT_GE(quantile->ci->high, quantile->value);
      }
    }
    EXPECT_THAT(made->warnings, Contains(HasSubstr("bursts on average")));
  }
}

}  // namespace
}  // namespace batchscope::planning
