#include "plan_cases.hpp"

namespace batchscope::planning {
namespace {

TEST(Plan, RecommendsWhatKeepsTheBound) {
  const auto made = plan(affine(), quick(100, 0.100));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->instances, 1);
  ASSERT_TRUE(made->recommended);
  const PolicyPlan& best = made->policies[*made->recommended];
  EXPECT_TRUE(best.meets);
  EXPECT_LE(best.p99_ms->value, 100);
  EXPECT_GE(best.p99_ms->value, best.p90_ms->value);
  EXPECT_GE(best.p90_ms->value, best.p50_ms->value);
  EXPECT_NEAR(best.throughput_per_s, 100, 10);
  EXPECT_THAT(made->message, HasSubstr("Use " + best.policy));
  EXPECT_EQ(find(*made, "token-budget"), nullptr);  // nothing is known of lengths
}

TEST(Plan, CountsTheInstancesThatTheBoundNeeds) {
  const auto made = plan(affine(), quick(900, 0.060));
  ASSERT_TRUE(made);
  EXPECT_GE(made->instances, 3);  // 2 carry 616 a second
  const PolicyPlan* all = find(*made, "take-all");
  ASSERT_TRUE(all && all->instances_needed);
  EXPECT_GE(*all->instances_needed, made->instances);
  EXPECT_NEAR(all->capacity_per_s, made->instances * 8 / 0.026, 5);
  // Fewer are refused, with what they lack.
  PlanRequest fewer = quick(900, 0.060);
  fewer.instances = 1;
  const auto refused = plan(affine(), fewer);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::failed);
  EXPECT_THAT(refused.error().what, HasSubstr("exceed the capacity of 1 instance: 307"));
  EXPECT_THAT(refused.error().fix, HasSubstr("the rate needs 3 instances"));
}

// Bounds close to what a number of instances can do, where a short series may be too kind.
TEST(Plan, TheInstancesChosenKeepTheBoundInAllSeries) {
  for (int bound_ms = 40; bound_ms <= 80; bound_ms += 2) {
    const auto made = plan(affine(), quick(900, bound_ms / 1e3));
    ASSERT_TRUE(made);
    ASSERT_TRUE(made->recommended) << bound_ms;
    EXPECT_LE(made->policies[*made->recommended].p99_ms->value, bound_ms);
    for (const PolicyPlan& policy : made->policies) {
      EXPECT_EQ(policy.meets, policy.instances_needed.value_or(1000) <= made->instances);
    }
  }
}

// Regular gaps, of which those from `first` on for `many` requests are a burst.
PlanRequest burst_at(int first, int many, std::optional<int> instances) {
  RecordedArrivals recorded;
  double now = 0;
  for (int i = 0; i < 8000; ++i) {
    recorded.times_s.push_back(now += i >= first && i < first + many ? 0.001 : 0.030);
  }
  PlanRequest request = quick(recorded.rate_per_s(), 0.150);
  request.arrivals = {"file:f", recorded};
  request.instances = instances;
  return request;
}

// A burst of 1000 a second, of which an instance carries 308. It is in the last part of the
// recording, which no beginning of it shows.
TEST(Plan, TheInstancesNeededAreThoseOfAFullRecording) {
  const auto made = plan(affine(), burst_at(6000, 2000, std::nullopt));
  ASSERT_TRUE(made) << made.error().what;
  ASSERT_TRUE(made->recommended) << made->message;
  EXPECT_GT(made->instances, 2);
  PlanRequest fewer = burst_at(6000, 2000, made->instances - 1);
  EXPECT_FALSE(plan(affine(), fewer)->recommended);
  // The column says the same with any number of instances.
  for (const int instances : {1, 2, made->instances, made->instances + 1, 12}) {
    const auto other = plan(affine(), burst_at(6000, 2000, instances));
    ASSERT_TRUE(other);
    for (std::size_t i = 0; i < made->policies.size(); ++i) {
      EXPECT_EQ(other->policies[i].instances_needed, made->policies[i].instances_needed)
          << instances << ' ' << other->policies[i].policy;
    }
  }
}

// It is over within the first tenth, which no series counts: one instance is enough, and said so.
TEST(Plan, ABurstThatIsNotCountedNeedsNoInstances) {
  const auto made = plan(affine(), burst_at(310, 450, std::nullopt));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->instances, 1);
  EXPECT_EQ(find(*made, "take-all")->instances_needed, 1);
}

// At most as many are tried as the error says.
TEST(Plan, ABoundThatNoNumberTriedKeepsIsRefused) {
  PlanRequest request = burst_at(6000, 2000, std::nullopt);
  auto& recorded = std::get<RecordedArrivals>(request.arrivals.law);
  for (std::size_t i = 6001; i < 8000; ++i) recorded.times_s[i] = recorded.times_s[6000];
  request.rate_per_s = recorded.rate_per_s();
  request.p99_s = 0.0122;
  const auto refused = plan(affine(), request);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("not met with 65 instances"));
  request.instances = 70;
  const auto given = plan(affine(), request);
  ASSERT_TRUE(given);
  EXPECT_THAT(given->message, HasSubstr("Even 64 more instances are not enough"));
  EXPECT_FALSE(find(*given, "take-all")->instances_needed);
}

TEST(Plan, AnImpossibleBoundNamesTheModelsOwnTime) {
  const auto refused = plan(affine(), quick(10, 0.010));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("takes 12.0 ms at p99, 20 % higher"));
}

// One time in twenty is 100 ms, which the middle of the times at each length does not show.
TEST(Plan, TheModelsOwnTimeHasItsTailHoweverManyLengths) {
  std::vector<double> times(19, 0.010);
  times.push_back(0.100);
  std::vector<serving::CostPoint> points;
  for (const int64_t b : {1, 2}) {
    for (const int64_t s : {16, 64}) {
      points.push_back({.batch_size = b, .seq_len = s, .times_s = times});
    }
  }
  PlanRequest request = quick(1, 0.050);
  for (const std::size_t lengths : {1U, 600U, 60'000U}) {
    request.lengths.assign(lengths, 64);
    const auto refused =
        plan({*serving::CostTable::from_points(points, "tail"), {}, {1, 2}, {}}, request);
    ASSERT_FALSE(refused) << lengths;
    EXPECT_THAT(refused.error().what, HasSubstr("takes 100 ms at p99"));
  }
}

TEST(Plan, TooFewInstancesForTheBoundAreNamedAsWhatBinds) {
  PlanRequest request = quick(290, 0.030);
  request.instances = 1;
  const auto made = plan(affine(), request);
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->recommended);
  EXPECT_THAT(made->message, HasSubstr("No policy meets p99"));
}

TEST(Plan, WithoutABoundTheRateDecides) {
  const auto made = plan(affine(), quick(500, std::nullopt));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->instances, 2);
  EXPECT_TRUE(made->recommended);
}

TEST(Plan, GoodSizesWinWhereTakingAllFormsABadOne) {
  const auto seed = *serving::CostTable::from_points({{.batch_size = 1, .times_s = {0.05030}},
                                                      {.batch_size = 2, .times_s = {0.14009}},
                                                      {.batch_size = 4, .times_s = {0.17525}},
                                                      {.batch_size = 8, .times_s = {0.50416}}},
                                                     "seed");
  PlanRequest request = quick(19, std::nullopt);
  request.instances = 1;
  const auto made = plan({seed, {}, {1, 4}, {}}, request);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->policies[*made->recommended].policy, "good-sizes");
  EXPECT_NEAR(find(*made, "good-sizes")->capacity_per_s, 4 / 0.17525, 0.2);
}

TEST(Plan, LengthsAreNeededWhereTheyWereMeasured) {
  const MeasuredCosts costs{serving::length_table(kSizes, {16, 64, 128}), {}, kSizes, {}};
  EXPECT_FALSE(plan(costs, quick(20, 0.3)));
  PlanRequest request = quick(20, 0.3);
  request.lengths = {16, 32, 48, 64, 256};
  const auto made = plan(costs, request);
  ASSERT_TRUE(made);
  EXPECT_TRUE(find(*made, "token-budget"));
  bool between = false, beyond = false;
  for (const std::string& warning : made->warnings) {
    between = between || warning.find("interpolated") != std::string::npos;
    beyond = beyond || warning.find("extrapolated") != std::string::npos;
  }
  EXPECT_TRUE(between && beyond);
}

// As if no length had been measured, except that a budget can be counted in tokens.
TEST(Plan, RequestsAreAsLongAsWhatWasMeasuredWhereThatIsOneLength) {
  std::vector<serving::CostPoint> points;
  for (const int64_t b : kSizes) {
    points.push_back(
        {.batch_size = b, .seq_len = 128, .times_s = {0.010 + 0.002 * static_cast<double>(b)}});
  }
  const MeasuredCosts costs{*serving::CostTable::from_points(points, "one length"), {}, kSizes, {}};
  RecordedArrivals recorded;
  for (int i = 0; i < 1000; ++i) recorded.times_s.push_back(0.01 * i);
  for (const ArrivalProcess& arrivals : {ArrivalProcess{}, ArrivalProcess{"file:f", recorded}}) {
    PlanRequest request = quick(100, 0.100);
    request.arrivals = arrivals;
    const auto made = plan(costs, request), without = plan(affine(), request);
    ASSERT_TRUE(made && without);
    for (const char* name : {"fixed-timeout", "take-all", "good-sizes"}) {
      EXPECT_EQ(find(*made, name)->settings, find(*without, name)->settings);
      EXPECT_DOUBLE_EQ(find(*made, name)->p99_ms->value, find(*without, name)->p99_ms->value);
      EXPECT_EQ(find(*made, name)->interpolated, find(*without, name)->interpolated);
    }
    EXPECT_EQ(*find(*made, "token-budget")->values.max_tokens % 128, 0);
  }
}

// All series replay it: that they agree says nothing of another recording.
TEST(Plan, QuantilesOfARecordingHaveNoInterval) {
  const auto replayed = plan(affine(), burst_at(6000, 100, 1));
  const auto drawn = plan(affine(), quick(100, 0.100));
  ASSERT_TRUE(replayed && drawn);
  EXPECT_FALSE(find(*replayed, "take-all")->p99_ms->ci);
  EXPECT_FALSE(find(*replayed, "take-all")->p50_ms->ci);
  EXPECT_TRUE(find(*drawn, "take-all")->p99_ms->ci);
}

TEST(Plan, APercentileOfTooFewRecordedRequestsIsRefused) {
  PlanRequest request = quick(20, 0.3);
  RecordedArrivals recorded;
  for (int i = 0; i < 300; ++i) recorded.times_s.push_back(0.05 * i);
  request.arrivals = {"file:f", recorded};
  const auto refused = plan(affine(), request);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("it needs 368"));
  request.p99_s.reset();
  const auto made = plan(affine(), request);
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->policies.front().p90_ms);
  EXPECT_FALSE(made->policies.front().p99_ms);
}

std::string refusal_of(const PlanRequest& request) {
  const auto refused = plan(affine(), request);
  return refused ? "planned" : base::to_string(refused.error());
}

TEST(Plan, RatesThatNothingCanBeStatedOfAreRefused) {
  EXPECT_THAT(refusal_of(quick(1e12, std::nullopt)), HasSubstr("instances"));
  EXPECT_THAT(refusal_of(quick(1e-9, std::nullopt)), HasSubstr("years"));
}

// 10,000 requests last longer than a year.
TEST(Plan, ARateOfOneAnHourIsPlanned) {
  PlanRequest request = quick(1.0 / 3600, 0.100);
  request.requests = 10'000;
  const auto made = plan(affine(), request);
  ASSERT_TRUE(made);
  EXPECT_NEAR(find(*made, "take-all")->p99_ms->value, 12, 0.1);
}

TEST(Plan, BurstsThatAreNoneAreRefusedAndFewOfThemWarnedOf) {
  PlanRequest request = quick(100, std::nullopt);
  request.arrivals = {"bursty", BurstyArrivals{.burst_s = 1e-9}};
  EXPECT_THAT(refusal_of(request), HasSubstr("between two requests"));
  request.arrivals = {"bursty", BurstyArrivals{.burst_s = 1}};  // 30 s hold 3 of them
  const auto few = plan(affine(), request);
  ASSERT_TRUE(few);
  EXPECT_THAT(few->warnings, Contains(HasSubstr("only 3 bursts")));
  EXPECT_THAT(few->warnings, Contains(HasSubstr("--requests 30000.")));
}

TEST(Plan, WhatIsAskedForWithoutEffectIsWarnedOf) {
  PlanRequest request = quick(100, std::nullopt);
  request.max_batch = 100;
  request.lengths = {16, 64};
  const auto made = plan(affine(), request);
  ASSERT_TRUE(made);
  EXPECT_THAT(made->warnings, Contains(HasSubstr("no size above 8")));
  EXPECT_THAT(made->warnings, Contains(HasSubstr("The run has no lengths")));
}

TEST(Plan, CurvesRiseWithTheLoadAndEndAtTheCapacity) {
  PlanRequest request = quick(100, 0.100);
  request.curves = true;
  const auto made = plan(affine(), request);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->curves.size(), made->policies.size());
  const auto& points = made->curves[1].points;  // take-all
  EXPECT_LT(*points.front().p99_ms, *points[points.size() - 2].p99_ms);
  EXPECT_LT(points.back().rate_per_s, 8 / 0.026);
}

}  // namespace
}  // namespace batchscope::planning
