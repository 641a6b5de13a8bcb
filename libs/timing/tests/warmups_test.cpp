#include "batchscope/timing/warmups.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/stats/rng.hpp"

namespace batchscope::timing {
namespace {

// Eight configurations; the first `warming` iterations of one of them take longer.
schema::RunFile run_of(int slow_config, int warming, int blocks = 12) {
  stats::Rng rng(7);
  schema::RunFile run;
  run.configs.resize(8);
  for (int block = 0; block < blocks; ++block) {
    for (int config = 0; config < 8; ++config) {
      schema::Visit visit;
      visit.config = config;
      visit.block = block;
      for (int i = 0; i < 20; ++i) {
        const double extra = config == slow_config && i < warming ? 1.3 : 1;
        const auto ns = std::llround(1e6 * extra * std::exp(0.002 * rng.normal()));
        (i < 2 ? visit.warmup_ns : visit.samples_ns).push_back(ns);
      }
      run.visits.push_back(visit);
    }
  }
  return run;
}

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
