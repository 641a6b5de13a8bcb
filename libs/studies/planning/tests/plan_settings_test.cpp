#include "plan_cases.hpp"

namespace batchscope::planning {
namespace {

// Twice the requests take nearly twice as long, so that a batch makes others wait and saves little.
MeasuredCosts near_linear() {
  const auto table = *serving::CostTable::from_points({{.batch_size = 1, .times_s = {0.010}},
                                                       {.batch_size = 2, .times_s = {0.020}},
                                                       {.batch_size = 4, .times_s = {0.040}},
                                                       {.batch_size = 8, .times_s = {0.079}}},
                                                      "near linear");
  return {table, {}, kSizes, {}};
}

TEST(Plan, WhereLargeBatchesSaveLittleSmallOnesAreTriedToo) {
  const auto made = plan(near_linear(), quick(240, 0.030));
  ASSERT_TRUE(made && made->recommended);
  EXPECT_EQ(made->instances, 4);  // 6 with batches of up to 8
  PlanRequest request = quick(240, std::nullopt);
  request.instances = 3;
  const auto three = plan(near_linear(), request);
  ASSERT_TRUE(three && three->recommended);
  for (const char* name : {"take-all", "good-sizes"}) {
    EXPECT_LT(find(*three, name)->p99_ms->value, 55) << name;
  }
}

// As if the largest allowed were what the plan chooses itself.
TEST(Plan, ACapOnTheBatchNeverNeedsFewerInstancesThanNone) {
  PlanRequest request = quick(240, 0.030);
  const int without = plan(near_linear(), request)->instances;
  for (const int64_t cap : kSizes) {
    request.max_batch = cap;
    EXPECT_GE(plan(near_linear(), request)->instances, without) << cap;
  }
}

// Even of many measured sizes; the fastest of them is 64, by little.
TEST(Plan, OfManyMeasuredSizesTheSmallestIsAmongThoseTried) {
  std::vector<serving::CostPoint> points;
  std::vector<int64_t> sizes;
  for (int64_t b = 1; b <= 64; ++b) {
    const auto n = static_cast<double>(b);
    points.push_back({.batch_size = b, .times_s = {0.010 * n - 1e-6 * n * n}});
    sizes.push_back(b);
  }
  PlanRequest request = quick(240, std::nullopt);
  request.instances = 3;
  const auto made =
      plan({*serving::CostTable::from_points(points, "many"), {}, sizes, {}}, request);
  ASSERT_TRUE(made);
  EXPECT_EQ(find(*made, "take-all")->settings, "max_batch 1");
}

TEST(Plan, OneByOneNoDelayIsOffered) {
  PlanRequest request = quick(50, std::nullopt);
  request.max_batch = 1;
  const auto made = plan(affine(), request);
  ASSERT_TRUE(made);
  EXPECT_EQ(find(*made, "fixed-timeout"), nullptr);
  EXPECT_EQ(find(*made, "take-all")->settings, "max_batch 1");
  EXPECT_EQ(find(*made, "good-sizes")->values.max_delay, base::Nanoseconds(0));
}

// One request costs what twelve do: that is not interpolated, and the warning names it.
TEST(Plan, BatchesSmallerThanMeasuredAreWarnedOfAsSuch) {
  const MeasuredCosts costs{serving::affine_table(0.002, 0.010, {12, 24}), {}, {12, 24}, {}};
  const auto made = plan(costs, quick(10, std::nullopt));
  ASSERT_TRUE(made);
  EXPECT_GT(find(*made, "take-all")->smaller, 0.9);
  EXPECT_EQ(find(*made, "take-all")->interpolated, 0);
  EXPECT_THAT(made->warnings,
              Contains(HasSubstr("smaller than measured, counted as batch 12: fixed-timeout")));
  EXPECT_THAT(made->warnings, Not(Contains(HasSubstr("interpolated"))));
}

// Of 1, 2, 4, 8 and 16 the largest is the fastest, but up to 8 it is 4: 133 a second against 89.
TEST(Plan, UnderALargestBatchTheFastestOfThoseAllowedIsTried) {
  const auto table = *serving::CostTable::from_points({{.batch_size = 1, .times_s = {0.015}},
                                                       {.batch_size = 2, .times_s = {0.020}},
                                                       {.batch_size = 4, .times_s = {0.030}},
                                                       {.batch_size = 8, .times_s = {0.090}},
                                                       {.batch_size = 16, .times_s = {0.090}}},
                                                      "dip");
  PlanRequest request = quick(120, std::nullopt);
  request.instances = 1;
  request.max_batch = 8;
  const auto made = plan({table, {}, {1, 2, 4, 16}, {}}, request);
  ASSERT_TRUE(made);
  const PolicyPlan* all = find(*made, "take-all");
  EXPECT_FALSE(all->overloaded);
  EXPECT_EQ(all->settings, "max_batch 4");
  EXPECT_NEAR(all->capacity_per_s, 4 / 0.030, 1);
}

// One by one nothing is padded: the largest batch would carry half as much.
TEST(Plan, WhereLengthsDifferSmallerLargestBatchesAreTriedToo) {
  const MeasuredCosts costs{serving::length_table(kSizes, {16, 512}), {}, kSizes, {}};
  PlanRequest request = quick(25, std::nullopt);
  request.lengths = {16, 16, 16, 512};
  request.instances = 1;
  const auto made = plan(costs, request);
  ASSERT_TRUE(made);
  EXPECT_FALSE(find(*made, "take-all")->overloaded);
  EXPECT_EQ(find(*made, "take-all")->settings, "max_batch 1");
  // So they are with recorded lengths.
  RecordedArrivals recorded;
  for (int i = 0; i < 1000; ++i) {
    recorded.times_s.push_back(0.04 * i);
    recorded.tokens.push_back(request.lengths[static_cast<std::size_t>(i % 4)]);
  }
  request.arrivals = {"file:f", recorded};
  request.lengths.clear();
  const auto replayed = plan(costs, request);
  ASSERT_TRUE(replayed);
  EXPECT_EQ(find(*replayed, "take-all")->settings, "max_batch 1");
}

}  // namespace
}  // namespace batchscope::planning
