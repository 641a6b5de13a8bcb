#include "batchscope/timing/warmups.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

// Batch 1 with 30 iterations of 20 ms a visit, batch 64 with 11 of 1 s. The first ones take longer
// by the half, the fourth, the eighth, as of anything that is warming up by iterations; those that
// begin before the process is `settles_s` old by `slow`.
schema::RunFile settling_run(double settles_s, double slow = 1.3) {
  stats::Rng rng(11);
  schema::RunFile run;
  run.configs.resize(2);
  run.configs[1].shape.batch_size = 64;
  for (int block = 0; block < 12; ++block) {
    for (const int config : {0, 1}) {
      schema::Visit visit;
      visit.config = config;
      visit.block = block;
      double age_s = 0;
      for (int i = 0; i < (config == 0 ? 30 : 11); ++i) {
        const double settling = age_s < settles_s ? slow : 1;
        const double s = (config == 0 ? 0.02 : 1) * (1 + std::ldexp(0.5, -i)) * settling *
                         std::exp(0.005 * rng.normal());
        age_s += s;
        (i < 2 ? visit.warmup_ns : visit.samples_ns).push_back(std::llround(1e9 * s));
      }
      run.visits.push_back(visit);
    }
  }
  return run;
}

TEST(Warmups, ByTheClockReachNoVisitThatEndsBefore) {
  const Warmups by_clock = warmups_of(settling_run(2.5));
  EXPECT_FALSE(by_clock.of(0, 2e7).determined);
  EXPECT_TRUE(by_clock.of(1, 1e9).determined);
}

TEST(Warmups, AreNoIterationsThatAreSlowNowAndThen) {
  schema::RunFile run = settling_run(0);
  for (schema::Visit& visit : run.visits) {
    for (std::size_t i = 0; visit.config == 1 && i < visit.samples_ns.size(); i += 3) {
      visit.samples_ns[i] *= 3;
    }
  }
  EXPECT_TRUE(warmups_of(run).of(0, 2e7).determined);
}

TEST(Warmups, ByIterationsAreSeenByAll) {
  EXPECT_TRUE(warmups_of(settling_run(0)).of(0, 2e7).determined);
}

TEST(Warmups, ByTheClockAreSeenWhereVisitsAreLonger) {
  schema::RunFile run = settling_run(2.5);
  for (schema::Visit& visit : run.visits) {
    if (visit.config == 0) visit.samples_ns.insert(visit.samples_ns.end(), 300, 15'400'000);
  }
  EXPECT_TRUE(warmups_of(run).of(0, 2e7).determined);
  EXPECT_GT(warmups_of(run).of(0, 2e7).iterations, 20u);
}

}  // namespace
}  // namespace batchscope::timing
