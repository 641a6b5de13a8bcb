#include <gtest/gtest.h>

#include "batchscope/schema/visit.hpp"
#include "batchscope/timing/steady_visit.hpp"

namespace batchscope::timing {
namespace {

schema::Visit visit_of(std::vector<int64_t> warmup, std::vector<int64_t> samples) {
  schema::Visit visit;
  visit.warmup_ns = std::move(warmup);
  visit.samples_ns = std::move(samples);
  return visit;
}

Warmups needing(std::size_t iterations) {
  stats::PooledWarmup pooled;
  pooled.short_iterations = {iterations, true, 12};
  return {pooled, {}};
}

TEST(SteadyVisit, TakesOffWhatIsStillWarmUp) {
  const schema::Visit visit = visit_of({90}, {30, 20, 10, 10, 11});
  EXPECT_EQ(typical_ns(warm(visit, {})), 11);
  const SteadyVisit settled = warm(visit, needing(3));
  EXPECT_EQ(typical_ns(settled), 10);
  EXPECT_TRUE(settled.trimmed);
  EXPECT_FALSE(settled.still_warming);
}

TEST(SteadyVisit, KeepsThreeIterationsAndSaysSo) {
  const schema::Visit visit = visit_of({90}, {30, 20, 10, 10, 11});
  const SteadyVisit warming = warm(visit, needing(5));
  EXPECT_EQ(warming.series.front().size(), 3u);
  EXPECT_TRUE(warming.still_warming);
}

TEST(SteadyVisit, UnsettledAreVisitsThatMostlyMayHoldWarmUp) {
  const schema::Visit visit = visit_of({90}, {30, 20, 10, 10, 11});
  const auto settled = [&](const Warmups& warmups) {
    return steady_visits({&visit, &visit}, warmups).settled;
  };
  EXPECT_TRUE(settled(needing(3)));
  EXPECT_FALSE(settled(needing(5)));
  stats::PooledWarmup open;
  open.short_iterations = {2, false, 12};
  EXPECT_FALSE(settled({open, {}}));
  open.short_iterations = {2, false, 5};
  EXPECT_TRUE(settled({open, {}})) << "too few visits to tell";
}

TEST(SteadyVisit, TellsTheTypicalIterationFromWorkOverTime) {
  const schema::Visit visit = visit_of({}, {10, 10, 40});
  EXPECT_EQ(typical_ns(warm(visit, {})), 10);
  EXPECT_EQ(mean_ns(warm(visit, {})), 20);
}

TEST(SteadyVisit, TellsTheLaterHalfAndSlowIterations) {
  const schema::Visit visit = visit_of({}, {20, 20, 20, 10, 12, 31});
  EXPECT_EQ(late_ns(warm(visit, {})), 12);
  EXPECT_EQ(slow_iterations(warm(visit, {})), 1);
}

TEST(SteadyVisit, AddsTheRatesOfInstances) {
  schema::Visit visit = visit_of({}, {10, 10, 30, 30});
  visit.instance_warmups = {0, 0};
  visit.instance_samples = {2, 2};
  const SteadyVisit both = warm(visit, {});
  EXPECT_DOUBLE_EQ(2 / typical_ns(both), 1.0 / 10 + 1.0 / 30);
  EXPECT_DOUBLE_EQ(2 / mean_ns(both), 1.0 / 10 + 1.0 / 30);
}

TEST(SteadyVisit, ASeriesSaysNothingOfSingleIterations) {
  schema::Visit visit = visit_of({}, {30, 20, 10});
  visit.iterations_per_sample = 8;
  EXPECT_FALSE(warm(visit, needing(2)).trimmed);
}

TEST(WarmVisits, LeaveOutTheFewThatAreStillWarming) {
  const schema::Visit little = visit_of({}, {30, 20, 10});
  const schema::Visit enough = visit_of({}, {30, 20, 10, 10, 10});
  const WarmVisits most = steady_visits({&little, &enough, &enough}, needing(2));
  EXPECT_EQ(most.visits.size(), 2u);
  EXPECT_EQ(most.excluded.size(), 1u);
  const WarmVisits few = steady_visits({&little, &little, &enough}, needing(2));
  EXPECT_EQ(few.visits.size(), 3u) << "nothing would be left";
  EXPECT_TRUE(few.visits.front().still_warming);
}

}  // namespace
}  // namespace batchscope::timing
