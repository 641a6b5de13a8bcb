#include "batchscope/timing/visits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::timing {
namespace {

using schema::Purpose;

void add_visit(schema::RunFile& run, int config, int block, std::vector<int64_t> samples,
               Purpose purpose = Purpose::measure) {
  schema::Visit visit;
  visit.config = config;
  visit.block = block;
  visit.purpose = purpose;
  visit.samples_ns = std::move(samples);
  run.visits.push_back(std::move(visit));
}

schema::RunFile run_of_sizes(int count) {
  schema::RunFile run;
  for (int i = 0; i < count; ++i) {
    run.configs.emplace_back();
    run.configs.back().shape.batch_size = i + 1;
  }
  return run;
}

TEST(VisitsOf, AUseAreOfItsPurposesAlone) {
  schema::RunFile run = run_of_sizes(1);
  const std::vector purposes{Purpose::measure, Purpose::control, Purpose::verify,
                             Purpose::intervention, Purpose::diagnostic};
  for (int block = 0; block < std::ssize(purposes); ++block) {
    add_visit(run, 0, block, {10, 10, 10}, purposes[static_cast<std::size_t>(block)]);
  }
  const auto count = [&](Use use) { return visits_of(run, use, {}).by_config.at(0).visits.size(); };
  EXPECT_EQ(count(Use::measured), 2u);
  EXPECT_EQ(count(Use::fresh), 1u);
  EXPECT_EQ(count(Use::intervention), 1u);
}

TEST(VisitsOf, ARunLeaveOutWhatHasNoTimeAndRepeats) {
  schema::RunFile run = run_of_sizes(2);
  run.configs.push_back(run.configs[0]);
  add_visit(run, 0, 0, {10, 10, 10});
  add_visit(run, 2, 0, {90, 90, 90});
  add_visit(run, 1, 0, {10, 0, 10});
  add_visit(run, 1, 1, {});
  add_visit(run, 2, 1, {10, 10, 10});
  const RunVisits visits = visits_of(run, Use::measured, {});
  EXPECT_EQ(visits.untimed, 2);
  EXPECT_EQ(visits.repeated, 1) << "equal configurations are one";
  ASSERT_EQ(visits.by_config.size(), 1u);
  EXPECT_THAT(logs_of(visits.by_config.at(0).visits, mean_ns),
              testing::ElementsAre(std::log(10), std::log(10)));
  EXPECT_EQ(visits_of(run, Use::measured, {}, 1).by_config.at(0).visits.size(), 1u);
}

TEST(OverVisits, IsTheGeometricMeanAndHasNoIntervalOfTwo) {
  const std::vector<double> two{std::log(10), std::log(40)};
  EXPECT_DOUBLE_EQ(over_visits(two).value, 20);
  EXPECT_FALSE(over_visits(two).interval);
  const std::vector<double> three{std::log(10), std::log(20), std::log(40)};
  ASSERT_TRUE(over_visits(three).interval);
  EXPECT_LT(over_visits(three).interval->low, 10);
  EXPECT_DOUBLE_EQ(over_visits(three).interval->low * over_visits(three).interval->high, 400);
  EXPECT_NEAR(milliseconds_over_visits(three).value, 20e-6, 1e-18);
  EXPECT_NEAR(milliseconds_over_visits(three).interval->low, over_visits(three).interval->low / 1e6,
              1e-18);
  EXPECT_NEAR(milliseconds_over_visits(three).interval->high,
              over_visits(three).interval->high / 1e6, 1e-15);
  EXPECT_FALSE(milliseconds_over_visits(two).interval);
}

// Visits of random lengths that begin slowly, some too short to hold anything else.
schema::RunFile random_run(uint64_t seed) {
  stats::Rng rng(seed);
  schema::RunFile run = run_of_sizes(4);
  const int blocks = 1 + static_cast<int>(12 * rng.uniform());
  for (int block = 0; block < blocks; ++block) {
    for (int config = 0; config < 4; ++config) {
      const int length = 4 + static_cast<int>(20 * rng.uniform());
      std::vector<int64_t> samples;
      for (int i = 0; i < length; ++i) {
        const double slow = i < 3 + config ? 1.4 : 1;
        samples.push_back(std::llround(1e6 * slow * std::exp(0.01 * rng.normal())));
      }
      const bool fresh = rng.uniform() < 0.2;
      add_visit(run, config, block, std::move(samples), fresh ? Purpose::verify : Purpose::measure);
    }
  }
  return run;
}

TEST(VisitsOf, EveryRunAreEachAccountedForOnceAndAlikeByBothWays) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const schema::RunFile run = random_run(seed);
    const Warmups warmups = warmups_of(run);
    std::size_t all = 0;
    for (const Use use : {Use::measured, Use::fresh}) {
      for (const auto& [config, visits] : visits_of(run, use, warmups).by_config) {
        all += visits.visits.size() + visits.excluded.size();
        const auto& key = run.configs[static_cast<std::size_t>(config)];
        const WarmVisits alone = visits_of(run, key, use, warmups);
        EXPECT_EQ(logs_of(alone.visits, mean_ns), logs_of(visits.visits, mean_ns));
        EXPECT_GE(visits.visits.size(), visits.excluded.size());
        for (const SteadyVisit& out : visits.excluded) EXPECT_TRUE(out.still_warming);
        // Where some were left out, none that stayed is warming.
        for (const SteadyVisit& in : visits.visits) {
          EXPECT_FALSE(in.still_warming && !visits.excluded.empty());
          EXPECT_GE(in.series.front().size(), 3u);
        }
      }
    }
    EXPECT_EQ(all, run.visits.size());
  }
}

TEST(VisitsOf, TheOrderOfTheFileChangesNoTime) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const schema::RunFile run = random_run(seed);
    schema::RunFile turned = run;
    std::reverse(turned.visits.begin(), turned.visits.end());
    const auto before = visits_of(run, Use::measured, warmups_of(run)).by_config;
    const auto after = visits_of(turned, Use::measured, warmups_of(turned)).by_config;
    ASSERT_EQ(before.size(), after.size());
    for (const auto& [config, visits] : before) {
      EXPECT_EQ(logs_by_block(visits, typical_ns), logs_by_block(after.at(config), typical_ns));
    }
  }
}

}  // namespace
}  // namespace batchscope::timing
