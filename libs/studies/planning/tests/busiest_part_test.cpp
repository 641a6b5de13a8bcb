#include "busiest_part.hpp"

#include "plan_cases.hpp"

namespace batchscope::planning {
namespace {

using testing::ElementsAre;

TEST(BusiestPart, IsTheRequestsThatCameWithinTheShortestTime) {
  const RecordedArrivals part = busiest_part({{0, 5, 6, 7, 20}, {1, 2, 3, 4, 5}}, 3);
  EXPECT_THAT(part.times_s, ElementsAre(5, 6, 7));
  EXPECT_THAT(part.tokens, ElementsAre(2, 3, 4));
}

TEST(BusiestPart, IsTheFullWhereThatIsNoLongerOrAPartTakesNoTime) {
  EXPECT_EQ(busiest_part({{0, 1, 2}, {}}, 3).times_s.size(), 3u);
  EXPECT_EQ(busiest_part({{0, 1, 1, 2}, {}}, 2).times_s.size(), 4u);
}

// Twice as many as are looked at whole, a tenth of them in one burst that one instance cannot keep
// up with.
TEST(Plan, OfALongRecordingKeepsTheBoundInAllOfIt) {
  RecordedArrivals recorded;
  double now = 0;
  constexpr std::size_t kMany = 2 * kLongRecording;
  for (std::size_t i = 0; i < kMany; ++i) {
    const bool burst = i >= kMany / 2 && i < kMany / 2 + kMany / 10;
    recorded.times_s.push_back(now += burst ? 0.002 : 0.030);
  }
  PlanRequest request = quick(recorded.rate_per_s(), 0.150);
  request.arrivals = {"file:f", recorded};
  const auto made = plan(affine(), request);
  ASSERT_TRUE(made) << base::to_string(made.error());
  ASSERT_TRUE(made->recommended);
  EXPECT_EQ(made->instances, 2);
  EXPECT_LE(made->policies[*made->recommended].p99_ms->value, 150);
  EXPECT_THAT(made->warnings, testing::Contains(HasSubstr("busiest 100000 in a row")));
}

TEST(Plan, RefusesBatchesThatNoPlanForms) {
  const MeasuredCosts small = affine();
  MeasuredCosts huge = small;
  std::vector<serving::CostPoint> points;
  for (const int64_t size : {int64_t{1}, int64_t{2}, (int64_t{1} << 31) - 1}) {
    points.push_back({.batch_size = size, .times_s = {0.01 + 0.001 * static_cast<double>(size)}});
  }
  huge.table = *serving::CostTable::from_points(points, "f");
  const auto refused = plan(huge, quick(100, 0.100));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("2147483647"));
  EXPECT_THAT(refused.error().what, HasSubstr("4096"));
  EXPECT_EQ(refused.error().where, "--max-batch-size");
  EXPECT_EQ(refused.error().fix, "use --max-batch-size 4096");
  PlanRequest smaller = quick(100, 0.100);
  smaller.max_batch = 2;
  EXPECT_TRUE(plan(huge, smaller));
}

TEST(ParseRecorded, RefusesMoreRequestsThanArePlannedFor) {
  const auto refused = parse_recorded(std::string(10'000'001, '\n'), "f");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("10000000"));
}

}  // namespace
}  // namespace batchscope::planning
