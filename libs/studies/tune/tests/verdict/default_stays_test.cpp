#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "made_table.hpp"
#include "tuned_runs.hpp"

namespace batchscope::tune {
namespace {

using testing::HasSubstr;
using testing::Not;

// A run whose search found a large batch, to be compared with batch 1.
struct Searched {
  Searched() : run(tuned_run(job_of(48, plan), plan, heard)) {}

  Tuned tuned() const { return tuned_of(run, plan); }
  // Makes the fresh visits say that all but the default have so much more throughput, in half of
  // the blocks exp(scatter) times that, in the others as much less.
  void show(double gain, double scatter);

  TunePlan plan;
  Heard heard;
  schema::RunFile run;
};

bool is_fresh(const schema::Visit& visit) {
  return visit.purpose == schema::Purpose::verify;
}

void Searched::show(double gain, double scatter) {
  const auto samples = [&](const schema::Visit& visit) {
    return static_cast<double>(
        schema::samples_at_once(run.configs[static_cast<std::size_t>(visit.config)]));
  };
  std::map<int, double> ns_a_sample;  // of the default, by block
  for (const schema::Visit& visit : run.visits) {
    if (is_fresh(visit) && visit.config == 0) {
      ns_a_sample[visit.block] = static_cast<double>(visit.samples_ns.at(0));
    }
  }
  for (schema::Visit& visit : run.visits) {
    if (!is_fresh(visit)) continue;
    const double sign = visit.block % 2 == 0 ? 1 : -1;
    const double times = visit.config == 0 ? 1 : std::exp(sign * scatter) / (1 + gain);
    visit.samples_ns.assign(5, std::llround(ns_a_sample.at(visit.block) * samples(visit) * times));
  }
}

TEST(DefaultStays, NotWhereAGainIsShown) {
  Searched searched;
  searched.show(0.05, 0.01);
  const Tuned tuned = searched.tuned();
  EXPECT_EQ(tuned.chosen, tuned.outcome.pick);
  EXPECT_NE(tuned.chosen, 0U);
  EXPECT_TRUE(tuned.verified);
  EXPECT_THAT(tuned.message, HasSubstr("Use batch"));
  EXPECT_FALSE(tuning_of(tuned).unconfirmed_best);
}

TEST(DefaultStays, WhereTheGainIsTooSmallToMatter) {
  Searched searched;
  searched.show(0.003, 0.0001);
  const Tuned tuned = searched.tuned();
  EXPECT_EQ(tuned.chosen, 0U);
  EXPECT_TRUE(tuned.verified);
  EXPECT_FALSE(tuned.undecided);
  EXPECT_FALSE(tuned.withdrawn);
  EXPECT_THAT(tuned.message, HasSubstr("Keep batch 1, fp32"));
  EXPECT_THAT(tuned.message, HasSubstr("better by 1 % or more; the search ranked batch 4"));
  EXPECT_THAT(tuned.verdict, HasSubstr("0.3 % more throughput than the default"));
  const findings::Tuning reported = tuning_of(tuned);
  EXPECT_EQ(reported.points[*reported.pick].config.shape.batch_size, 1);
  ASSERT_TRUE(reported.unconfirmed_best);
  EXPECT_EQ(reported.points[*reported.unconfirmed_best].config,
            tuned.outcome.grid[*tuned.outcome.pick]);
  const auto recommended = recommendation_of(reported);
  ASSERT_TRUE(recommended);
  EXPECT_EQ(recommended->config.shape.batch_size, 1);
  EXPECT_FALSE(recommended->gain);
}

TEST(DefaultStays, UnlessLessIsEnoughForWhoAsks) {
  Searched searched;
  searched.show(0.003, 0.0001);
  searched.plan.goal.practical = 0.001;
  const Tuned asked = searched.tuned();
  EXPECT_EQ(asked.chosen, asked.outcome.pick);
  EXPECT_NE(asked.chosen, 0U);
  searched.show(0.05, 0.001);
  searched.plan.goal.practical = 0.1;
  const Tuned tuned = searched.tuned();
  EXPECT_EQ(tuned.chosen, 0U);
  EXPECT_THAT(tuned.message, HasSubstr("by 10 % or more"));
}

// A little less than the default, which the interval does not exclude to be more: no reason to
// withdraw anything, and none to change anything either.
TEST(DefaultStays, WhereWhatAppearsBestShowsLess) {
  Searched searched;
  searched.show(-0.0024, 0.01);
  const Tuned tuned = searched.tuned();
  EXPECT_EQ(tuned.chosen, 0U);
  EXPECT_FALSE(tuned.withdrawn);
  EXPECT_THAT(tuned.message, Not(HasSubstr("Use batch")));
}

TEST(DefaultStays, WhereTheTwoCannotBeDistinguishedWithWhatWouldTell) {
  Searched searched;
  searched.show(0.03, 0.2);
  const Tuned tuned = searched.tuned();
  EXPECT_EQ(tuned.chosen, 0U);
  EXPECT_TRUE(tuned.undecided);
  EXPECT_FALSE(tuned.verified);
  ASSERT_TRUE(tuned.visits_needed);
  // 2 x 12 x (0.133 / 0.0296)^2.
  EXPECT_NEAR(*tuned.visits_needed, 484, 5);
  EXPECT_THAT(tuned.verdict, HasSubstr("--verify-blocks 48"));
  EXPECT_THAT(tuned.message, HasSubstr("No significant difference"));
  const auto recommended = recommendation_of(tuning_of(tuned));
  ASSERT_TRUE(recommended);
  EXPECT_TRUE(recommended->undecided);
  EXPECT_EQ(recommended->support, findings::Support::open);
  EXPECT_TRUE(recommended->open_gain);
  EXPECT_EQ(recommended->blocks_needed, tuned.visits_needed);
  EXPECT_EQ(recommended->unconfirmed_best, tuned.outcome.grid[*tuned.outcome.pick]);
}

TEST(DefaultStays, NotWhereItIsRefutedWithWhatIsToBeUsed) {
  Searched searched;
  searched.show(-0.05, 0.001);
  const Tuned tuned = searched.tuned();
  EXPECT_TRUE(tuned.withdrawn);
  EXPECT_EQ(tuned.chosen, tuned.outcome.pick);
  EXPECT_NE(tuned.chosen, 0U);
}

TEST(DefaultStays, ThoughTheSearchNeverLookedAtIt) {
  Searched searched;
  searched.show(0.003, 0.0001);
  std::erase_if(searched.run.visits, [](const schema::Visit& visit) {
    return visit.config == 0 && visit.purpose == schema::Purpose::measure;
  });
  const Tuned tuned = searched.tuned();
  ASSERT_EQ(tuned.chosen, 0U);
  const findings::Tuning reported = tuning_of(tuned);
  ASSERT_TRUE(reported.pick);
  EXPECT_EQ(reported.points[*reported.pick].config.shape.batch_size, 1);
}

TEST(Figures, AreThoseOfTheFreshVisits) {
  Searched searched;
  searched.show(0.05, 0.01);
  const Tuned tuned = searched.tuned();
  double sum_of_logs = 0;
  int visits = 0;
  for (const schema::Visit& visit : searched.run.visits) {
    if (!is_fresh(visit) || visit.config != static_cast<int>(*tuned.outcome.pick)) continue;
    sum_of_logs += std::log(static_cast<double>(visit.samples_ns.at(0)));
    ++visits;
  }
  ASSERT_TRUE(tuned.fresh);
  const auto size = static_cast<double>(tuned.outcome.grid[*tuned.outcome.pick].shape.batch_size);
  const double rate = size / (1e-9 * std::exp(sum_of_logs / visits));
  EXPECT_EQ(tuned.fresh->fresh_visits, visits);
  EXPECT_NEAR(tuned.fresh->rate, rate, 1e-6 * rate);
  const findings::Tuning reported = tuning_of(tuned);
  EXPECT_NEAR(reported_pick(reported).throughput_per_s, rate, 1e-6 * rate);
  EXPECT_NEAR(recommendation_of(reported)->throughput_per_s, rate, 1e-6 * rate);
  // The table of standings keeps the estimate of the search: 400 samples/s and more.
  EXPECT_GT(reported.points[*reported.pick].throughput_per_s, 2 * rate);
  // Whatever is shown beside the answer has the figures of the answer.
  EXPECT_NEAR(reported_point(reported, *reported.pick).throughput_per_s, rate, 1e-6 * rate);
  EXPECT_EQ(reported_point(reported, *reported.pick).visits, visits);
  const std::size_t other = *reported.pick == 0 ? 1 : 0;
  EXPECT_EQ(reported_point(reported, other).throughput_per_s,
            reported.points[other].throughput_per_s);
  EXPECT_THAT(tuned.message, Not(HasSubstr("not verified")));
}

TEST(Figures, OfTheSearchAloneAreStatedToBe) {
  TunePlan plan;
  plan.goal.verify_blocks = 0;
  Heard heard;
  const Tuned tuned = tuned_of(tuned_run(job_of(32, plan), plan, heard), plan);
  EXPECT_FALSE(tuned.fresh);
  EXPECT_THAT(tuned.message, HasSubstr("not verified"));
  EXPECT_THAT(recommendation_of(tuning_of(tuned))->message, HasSubstr("not verified"));
}

// A size has so much more throughput than batch 1 for each sample beyond it.
Search of_table(double gain_a_sample) {
  Replay replay(made_table(16, [&](double x) { return 10 * x / (1 + gain_a_sample * (x - 1)); }),
                0.0, 1);
  Search search(replay.grid(), {});
  run(search, replay);
  return search;
}

TEST(Replayed, TheDefaultIsKeptForLessThanMatters) {
  const Search search = of_table(0.0005);  // 0.75 % at batch 16
  const Tuned tuned = tuned_of(search, std::nullopt, 0.01);
  EXPECT_NE(tuned.outcome.pick, 0U);
  EXPECT_EQ(tuned.chosen, 0U);
  EXPECT_FALSE(tuned.verified);
  EXPECT_THAT(tuned.message, HasSubstr("Keep batch 1,"));
  EXPECT_THAT(tuned.message, HasSubstr("not verified"));
  const Tuned strict = tuned_of(search, std::nullopt, 0.001);
  EXPECT_EQ(strict.chosen, strict.outcome.pick);
}

TEST(Replayed, WhatIsBetterIsUsedAndStatedNotToBeVerified) {
  const Tuned tuned = tuned_of(of_table(0.01), std::nullopt, 0.01);
  EXPECT_EQ(tuned.chosen, tuned.outcome.pick);
  EXPECT_THAT(tuned.message, HasSubstr("Use batch"));
  EXPECT_THAT(tuned.message, HasSubstr("not verified"));
}

}  // namespace
}  // namespace batchscope::tune
