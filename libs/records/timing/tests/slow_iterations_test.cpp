#include "batchscope/timing/slow_iterations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/rng.hpp"
#include "batchscope/timing/visits.hpp"

namespace batchscope::timing {
namespace {

constexpr int kVisits = 12;

// Which iterations of which visit take so many times as long.
using IsSlow = std::function<bool(int visit, int index)>;

// Batch 1 with 40 iterations of 1 ms a visit, batch 8 with 7 of 8 ms.
schema::RunFile run_with(const IsSlow& is_slow, double times = 20, double scatter = 0.002) {
  schema::RunFile run;
  run.configs.resize(2);
  run.configs[1].shape.batch_size = 8;
  stats::Rng rng(3);
  for (int v = 0; v < kVisits; ++v) {
    for (const int config : {0, 1}) {
      schema::Visit visit;
      visit.config = config;
      visit.block = v;
      for (int i = 0; i < (config == 0 ? 40 : 7); ++i) {
        const double factor = is_slow(v, i) ? times : 1;
        const double ns = (config == 0 ? 1e6 : 8e6) * factor * std::exp(scatter * rng.normal());
        (i < 2 ? visit.warmup_ns : visit.samples_ns).push_back(std::llround(ns));
      }
      run.visits.push_back(visit);
    }
  }
  return run;
}

Unseen unseen_in(const schema::RunFile& run, int config) {
  const auto place = static_cast<std::size_t>(config);
  const WarmVisits visits = visits_of(run, run.configs[place], Use::measured, {});
  return SlowIterations(run).unseen_by(run.configs[place], visits.visits);
}

TEST(SlowIterations, AreNoneWhereThereAreNone) {
  const schema::RunFile run = run_with([](int, int) { return false; });
  EXPECT_TRUE(SlowIterations(run).models().empty());
  EXPECT_EQ(unseen_in(run, 0), Unseen());
}

TEST(SlowIterations, OfOneSizeAreEvidenceForAll) {
  const schema::RunFile run = run_with([](int, int index) { return index == 30; });
  const auto models = SlowIterations(run).models();
  ASSERT_EQ(models.size(), 1u);
  EXPECT_TRUE(models[0].in_phase);
  EXPECT_EQ(models[0].every, 31);
  EXPECT_NEAR(models[0].times_as_long, 20, 0.2);
  // One more in each visit of 5 iterations; and one fewer than the one that was met of 38.
  EXPECT_NEAR(unseen_in(run, 1).longer, std::log1p(19.0 / 5), 0.02);
  EXPECT_EQ(unseen_in(run, 1).shorter, 0);
  EXPECT_NEAR(unseen_in(run, 0).shorter, std::log1p(19.0 / 38), 0.02);
}

TEST(SlowIterations, AreDistinguishedFromScatterNotByAFixedRatio) {
  const IsSlow each_thirteenth = [](int, int index) { return index % 13 == 12; };
  for (const double times : {1.1, 1.2, 1.49, 1.51}) {
    const schema::RunFile run = run_with(each_thirteenth, times);
    ASSERT_EQ(SlowIterations(run).models().size(), 1u) << times;
    EXPECT_EQ(SlowIterations(run).models()[0].every, 13) << times;
    EXPECT_NEAR(unseen_in(run, 1).longer, std::log1p((times - 1) / 5), 0.01) << times;
  }
  EXPECT_TRUE(SlowIterations(run_with(each_thirteenth, 1.1, 0.1)).models().empty());
}

TEST(SlowIterations, ThatAlternateAreNoScatter) {
  const schema::RunFile run = run_with([](int, int index) { return index % 2 == 1; }, 1.4);
  EXPECT_GT(unseen_in(run, 1).longer, 0.05);
}

TEST(SlowIterations, OfTheLargestKindAreReported) {
  schema::RunFile run = run_with([](int, int index) { return index == 30; });
  for (schema::Visit& visit : run.visits) {
    if (visit.config == 0) visit.samples_ns[10] = visit.samples_ns[10] * 11 / 10;
  }
  EXPECT_EQ(SlowIterations(run).models().at(0).every, 31);
  EXPECT_NEAR(SlowIterations(run).models().at(0).times_as_long, 20, 0.2);
}

TEST(SlowIterations, OfOneSizeAreNotThoseOfOthersThatReachedTheirPlace) {
  const schema::RunFile run = run_with([](int, int index) { return index == 3; });
  schema::RunFile none = run;
  for (schema::Visit& visit : none.visits) {
    if (visit.config == 1) visit.samples_ns.assign(5, 8'000'000);
  }
  EXPECT_GT(unseen_in(run, 1).longer, 0.5);
  EXPECT_EQ(unseen_in(none, 1), Unseen());
}

TEST(SlowIterations, ThatComeAtRandomAreADrawOfEachVisit) {
  stats::Rng rng(9);
  const schema::RunFile run = run_with([&](int, int) { return rng.uniform() < 0.05; });
  const auto models = SlowIterations(run).models();
  ASSERT_EQ(models.size(), 1u);
  EXPECT_FALSE(models[0].in_phase);
  // Half of the time is theirs: a visit in phase could miss 19 / 5 of it.
  EXPECT_LT(unseen_in(run, 1).longer, std::log1p(19.0 / 5));
  EXPECT_LT(unseen_in(run, 0).longer, 0.35);
}

TEST(SlowIterations, OfOneProcessInADozenSayLittleOfHowMany) {
  const schema::RunFile run =
      run_with([](int visit, int index) { return visit == 4 && index % 3 == 2; });
  ASSERT_FALSE(SlowIterations(run).models().at(0).in_phase);
  EXPECT_GT(unseen_in(run, 0).longer, 0.3);
}

// Iteration i of batch 1 takes 1 + `rest` exp(-i / 20) times what it takes in the end.
schema::RunFile falling_run(double rest) {
  schema::RunFile run = run_with([](int, int) { return false; });
  for (schema::Visit& visit : run.visits) {
    if (visit.config != 0) continue;
    for (int64_t& ns : visit.warmup_ns) ns += std::llround(rest * static_cast<double>(ns));
    for (std::size_t i = 0; i < visit.samples_ns.size(); ++i) {
      const double factor = 1 + rest * std::exp(-static_cast<double>(i) / 20);
      visit.samples_ns[i] = std::llround(factor * static_cast<double>(visit.samples_ns[i]));
    }
  }
  return run;
}

TEST(Unseen, IsWhatMayStillBecomeFaster) {
  for (const double rest : {0.02, 0.05, 0.1}) {
    double mean = 0;  // over the 38 timed ones
    for (int i = 0; i < 38; ++i) mean += rest * std::exp(-i / 20.0) / 38;
    EXPECT_GT(unseen_in(falling_run(rest), 0).shorter, std::log1p(mean)) << rest;
    EXPECT_EQ(unseen_in(falling_run(rest), 0).longer, 0) << rest;
    EXPECT_EQ(unseen_in(falling_run(rest), 1), Unseen()) << rest;
  }
  EXPECT_EQ(unseen_in(falling_run(0), 0), Unseen());
  EXPECT_EQ(unseen_in(falling_run(-0.05), 0), Unseen());
}

TEST(SlowIterations, AtTheBeginningAreWarmUp) {
  const schema::RunFile run = run_with([](int, int index) { return index < 3; });
  EXPECT_TRUE(SlowIterations(run).models().empty());
}

}  // namespace
}  // namespace batchscope::timing
