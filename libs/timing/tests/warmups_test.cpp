#include "batchscope/timing/warmups.hpp"

#include <gtest/gtest.h>

#include "warming_run.hpp"

namespace batchscope::timing {
namespace {

TEST(Warmups, OfOneConfigurationAreNotDilutedByTheOthers) {
  const Warmups warmups = warmups_of(run_of(5, 10));
  EXPECT_EQ(warmups.of(5, 1e6).iterations, 10u);
  EXPECT_TRUE(warmups.of(5, 1e6).determined);
  EXPECT_LT(warmups.of(4, 1e6).iterations, 10u);
}

TEST(Warmups, ThatDoNotEndInTheVisitAreUndetermined) {
  const Warmups warmups = warmups_of(run_of(5, 20));
  EXPECT_TRUE(warmups.of(5, 1e6).determined) << "alike all the way: nothing shows a warm-up";
  const Warmups open = warmups_of(run_of(5, 17));
  EXPECT_FALSE(open.of(5, 1e6).determined);
  EXPECT_GT(open.of(5, 1e6).iterations, 0u);
}

TEST(Warmups, FewVisitsOfAConfigurationLeaveThePooledNeed) {
  const Warmups warmups = warmups_of(run_of(5, 10, 5));
  EXPECT_EQ(warmups.of(5, 1e6).iterations, warmups.pooled().short_iterations.iterations);
}

TEST(Warmups, AlikeWithoutAnyStayWithout) {
  const int both[] = {0, 7, -1};
  EXPECT_EQ(Warmups().with_longest_of(both).of(0, 1e6).iterations, 0u);
}

TEST(Warmups, ThatTheUserFixedStay) {
  schema::RunFile run = run_of(5, 10);
  run.header.plan.warmup = 2;
  EXPECT_EQ(warmups_of(run).of(5, 1e6).iterations, 0u);
}

TEST(Warmups, OfOneBlockAreThoseOfItsVisits) {
  schema::RunFile run = run_of(5, 10, 1);
  EXPECT_EQ(warmups_of(run).of(5, 1e6).visits, 8u);
  for (schema::Visit& visit : run.visits) {
    for (int64_t& ns : visit.warmup_ns) ns *= 2;
    visit.samples_ns.front() *= 2;
  }
  EXPECT_EQ(warmups_of(run).of(5, 1e6).iterations, 3u);
}

}  // namespace
}  // namespace batchscope::timing
