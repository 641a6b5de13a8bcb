#include "batchscope/planning/simulate.hpp"

#include <cmath>
#include <numeric>

#include "batchscope/stats/descriptive.hpp"
#include "testing/serving/tables.hpp"

namespace batchscope::planning {
namespace {

using std::chrono::milliseconds;

constexpr SimulationOptions kAll{.warmup = 0};

std::vector<Arrival> at(const std::vector<double>& times) {
  std::vector<Arrival> arrivals;
  for (const double time : times) arrivals.push_back({.time_s = time});
  return arrivals;
}

// t(1) = 15 ms, t(2) = 25 ms.
serving::CostTable simple() {
  return serving::affine_table(0.010, 0.005, {1, 2, 3, 4});
}

TEST(Simulate, FollowsASmallCaseByHand) {
  const auto policy = make_policy(serving::TakeAll{.max_batch = 2});
  // 0: alone until 15. 5 and 6 wait and run 15 to 40. 30 runs 40 to 55.
  const Simulation run = simulate(simple(), *policy, at({0, 0.005, 0.006, 0.030}), kAll);
  ASSERT_EQ(run.latencies_s.size(), 4u);
  const std::vector<double> expected{0.015, 0.035, 0.034, 0.025};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(run.latencies_s[i], expected[i], 1e-9);
  EXPECT_EQ(run.batches, 3);
  EXPECT_NEAR(run.utilisation, 1, 1e-9);
  EXPECT_NEAR(run.throughput_per_s, 3 / 0.040, 1e-6);  // from the end of the first batch
  EXPECT_NEAR(run.mean_batch, 4.0 / 3, 1e-12);
}

TEST(Simulate, TwoInstancesServeAtOnce) {
  const auto policy = make_policy(serving::TakeAll{.max_batch = 1});
  const Simulation run =
      simulate(simple(), *policy, at({0, 0.001, 0.002}), {.instances = 2, .warmup = 0});
  EXPECT_NEAR(run.latencies_s[1], 0.015, 1e-9);
  EXPECT_NEAR(run.latencies_s[2], 0.028, 1e-9);  // waits for the first, runs 15 to 30
}

// 500 requests, one each 0.2 ms, on 100 instances that take 15 ms for each: 75 are at work. The
// series, 0.1 s, is hardly longer than a request.
TEST(Simulate, TheFillingAndTheDrainingAreNotInTheRates) {
  const auto policy = make_policy(serving::TakeAll{.max_batch = 1});
  std::vector<double> times;
  for (int i = 0; i < 500; ++i) times.push_back(i * 0.0002);
  const Simulation run = simulate(simple(), *policy, at(times), {.instances = 100, .warmup = 0.2});
  EXPECT_NEAR(run.throughput_per_s, 5000, 50);
  EXPECT_NEAR(run.utilisation, 0.75, 0.01);
}

TEST(Simulate, AFixedTimeoutIsKeptToTheNanosecond) {
  const auto policy =
      make_policy(serving::FixedTimeout{.max_batch = 3, .max_delay = milliseconds(10)});
  const Simulation run = simulate(simple(), *policy, at({0.1, 0.104, 0.2, 0.201, 0.202}), kAll);
  EXPECT_NEAR(run.latencies_s[0], 0.010 + 0.025, 1e-9);  // leaves when the first has waited 10 ms
  EXPECT_NEAR(run.latencies_s[1], 0.006 + 0.025, 1e-9);
  EXPECT_NEAR(run.latencies_s[4], 0.035, 1e-9);  // full: leaves at once
  EXPECT_EQ(run.batches, 2);
}

// From 2^24 s on a nanosecond is less than a step of `double`.
TEST(Simulate, ATimeoutEndsHoweverLateInTheSeries) {
  std::vector<double> times;
  for (int i = 0; i < 1000; ++i) times.push_back(1.7e7 + 1000.123 * i);
  const auto policy =
      make_policy(serving::FixedTimeout{.max_batch = 3, .max_delay = milliseconds(10)});
  const Simulation run = simulate(simple(), *policy, at(times), kAll);
  ASSERT_EQ(run.latencies_s.size(), times.size());
  for (const double latency : run.latencies_s) EXPECT_NEAR(latency, 0.025, 1e-6);
}

// Waits for ever, and says so at any time.
class Undecided : public serving::Policy {
 public:
  serving::Decision decide(std::span<const serving::Waiting>, base::Nanoseconds,
                           const serving::Limits&) const override {
    return {};
  }
  std::string_view name() const override { return "undecided"; }
  std::string settings() const override { return ""; }
};

TEST(Simulate, WhoWaitsForRequestsThatNeverComeIsServedInTheEnd) {
  const Simulation alone = simulate(simple(), Undecided(), at({0, 0.001, 0.002}), kAll);
  EXPECT_EQ(alone.latencies_s.size(), 3u);
  EXPECT_EQ(alone.batches, 3);
}

TEST(Simulate, PadsToTheLongestAndCountsWhatWasNotMeasured) {
  const serving::CostTable table = serving::length_table({1, 2, 4}, {16, 64});
  std::vector<Arrival> arrivals{{0, 16}, {0, 64}, {0, 64}, {0, 256}};
  const auto policy = make_policy(serving::TakeAll{.max_batch = 3});
  const Simulation run = simulate(table, *policy, arrivals, kAll);
  EXPECT_NEAR(run.latencies_s[0], table.mean_s(3, 64), 1e-9);
  EXPECT_EQ(run.interpolated, 1);
  EXPECT_EQ(run.beyond, 1);
  EXPECT_NEAR(run.padding, 48.0 / (3 * 64 + 256), 1e-12);
  const Simulation padded = simulate(table, *policy, at({0}), {.pad_to = 64, .warmup = 0});
  EXPECT_NEAR(padded.latencies_s[0], table.mean_s(1, 64), 1e-9);
}

TEST(Simulate, DrawsFromAllMeasuredTimes) {
  const auto table = *serving::CostTable::from_points(
      {{.batch_size = 1, .times_s = {0.01, 0.03}}, {.batch_size = 2, .times_s = {1}}}, "t");
  std::vector<double> times(4000);
  std::iota(times.begin(), times.end(), 0.0);
  const Simulation run =
      simulate(table, *make_policy(serving::TakeAll{.max_batch = 1}), at(times), kAll);
  EXPECT_NEAR(stats::mean(run.latencies_s), 0.02, 0.001);
  EXPECT_NEAR(stats::quantile(run.latencies_s, 0.99), 0.03, 1e-9);
}

TEST(Simulate, SaturationIsTheSizeThatThePolicyForms) {
  const auto table = *serving::CostTable::from_points({{.batch_size = 1, .times_s = {0.05030}},
                                                       {.batch_size = 2, .times_s = {0.14009}},
                                                       {.batch_size = 4, .times_s = {0.17525}},
                                                       {.batch_size = 8, .times_s = {0.50416}}},
                                                      "seed");
  EXPECT_NEAR(saturation_per_s(table, *make_policy(serving::TakeAll{.max_batch = 8}), {}),
              8 / 0.50416, 0.1);
  const serving::GoodSizes good{.costs = serving::BatchCosts(table, 4), .sizes = {1, 4}};
  EXPECT_NEAR(saturation_per_s(table, *make_policy(good), {}), 4 / 0.17525, 0.1);
}

// 20,000 would be two batches and a rest that takes nearly as long as they do.
TEST(Simulate, SaturationCountsManyBatchesHoweverLargeTheyAre) {
  const serving::CostTable table = serving::affine_table(1e-6, 1, {1, 8192});
  EXPECT_NEAR(saturation_per_s(table, *make_policy(serving::TakeAll{.max_batch = 8192}), {}),
              8192 / table.mean_s(8192, 1), 0.01 * 8192);
}

struct Case {
  double t0_over_a;
  double load;
  double tightness = 1.07;  // bound / mean, at most
};

// The mean latency itself: the sizes of successive batches are a Markov chain, next =
// max(1, Poisson(l (a b + t0))), and who arrives during a batch waits for half of it on average.
double exact_mean_s(double a, double t0, double rate) {
  const double mean_batch = std::max(1.0, rate * t0 / (1 - rate * a));
  const auto n = static_cast<std::size_t>(60 + 4 * mean_batch);
  const auto time = [&](std::size_t batch) { return a * static_cast<double>(batch) + t0; };
  std::vector<std::vector<double>> next(n + 1, std::vector<double>(n + 1, 0.0));
  for (std::size_t b = 1; b <= n; ++b) {
    const double expected = rate * time(b);
    double chance = std::exp(-expected);
    for (std::size_t k = 0; k <= n; ++k) {
      next[b][std::max<std::size_t>(1, k)] += chance;
      chance *= expected / static_cast<double>(k + 1);
    }
  }
  std::vector<double> share(n + 1, 0.0);
  share[1] = 1;
  for (int step = 0; step < 200; ++step) {
    std::vector<double> after(n + 1, 0.0);
    for (std::size_t b = 1; b <= n; ++b) {
      for (std::size_t k = 1; k <= n; ++k) after[k] += share[b] * next[b][k];
    }
    share = after;
  }
  double total = 0, requests = 0;
  for (std::size_t b = 1; b <= n; ++b) {
    total += share[b] * rate * time(b) * time(b) / 2;
    for (std::size_t k = 1; k <= n; ++k) {
      total += share[b] * next[b][k] * static_cast<double>(k) * time(k);
      requests += share[b] * next[b][k] * static_cast<double>(k);
    }
  }
  return total / requests;
}

class Inoue : public ::testing::TestWithParam<Case> {};

// The simulated mean is the exact one, within the bound and near it. Seeds are fixed; 1.5 % is four
// standard errors of the case that scatters most.
TEST_P(Inoue, TakeAllStaysWithinTheBoundAndNearIt) {
  constexpr double kA = 0.001;
  const double t0 = GetParam().t0_over_a * kA;
  const double rate = GetParam().load / kA;
  std::vector<int64_t> sizes(2000);
  std::iota(sizes.begin(), sizes.end(), 1);
  const serving::CostTable table = serving::affine_table(kA, t0, sizes);
  const auto policy = make_policy(serving::TakeAll{.max_batch = 2000});
  const auto arrivals = draw_arrivals({}, rate, 400'000, {}, 11);
  const Simulation run = simulate(table, *policy, arrivals);
  const double bound = take_all_bound_s(kA, t0, rate), mean = stats::mean(run.latencies_s);
  const double exact = exact_mean_s(kA, t0, rate);
  EXPECT_EQ(run.beyond, 0);
  EXPECT_NEAR(mean / exact, 1, 0.015);
  EXPECT_GE(bound, exact);
  EXPECT_GE(bound, 0.985 * mean);
  EXPECT_LE(bound, GetParam().tightness * mean);
}
// Where l t0 is about 1 and l a is small the bound itself is 8 % off, as the exact mean shows.
INSTANTIATE_TEST_SUITE_P(Cases, Inoue,
                         ::testing::Values(Case{0.5, 0.1}, Case{0.5, 0.3}, Case{0.5, 0.5},
                                           Case{0.5, 0.7}, Case{0.5, 0.9}, Case{1, 0.1},
                                           Case{1, 0.3}, Case{1, 0.5}, Case{1, 0.7}, Case{1, 0.9},
                                           Case{3, 0.1}, Case{3, 0.3}, Case{3, 0.5}, Case{3, 0.7},
                                           Case{3, 0.9}, Case{10, 0.1, 1.085}, Case{10, 0.3},
                                           Case{10, 0.5}, Case{10, 0.7}, Case{10, 0.9},
                                           Case{30, 0.5}, Case{30, 0.8}));

}  // namespace
}  // namespace batchscope::planning
