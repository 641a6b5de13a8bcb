// Runs that cannot reach their target, in virtual time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/measure/session.hpp"
#include "batchscope/stats/rng.hpp"
#include "fake_executor.hpp"

namespace batchscope::measure {
namespace {

using base::Result;
using testing::HasSubstr;

// Visits of a second each, off by a normal draw with this standard deviation (ln).
FakeExecutor::Answer scattered(double sd, uint64_t seed) {
  auto rng = std::make_shared<stats::Rng>(seed);
  return [rng, sd](const VisitRequest& request) -> Result<VisitOutcome> {
    const auto time = static_cast<int64_t>(1e7 * std::exp(sd * rng->normal()));
    return VisitOutcome(visit_of(request, std::vector<int64_t>(5, time)));
  };
}

Job job_to(double target) {
  Job job = job_of({1, 2, 4});
  job.header.plan.blocks_fixed = false;
  job.header.plan.target = target;
  return job;
}

struct Played {
  schema::RunFile run;
  std::optional<schema::EndReason> reason;
};

Played play_reach(const Job& job, FakeExecutor::Answer answer) {
  FakeExecutor executor(std::move(answer));
  MemorySink sink;
  Session session(job, {executor, sink, nullptr, {}});
  const auto end = run(session);
  EXPECT_TRUE(end);
  return {sink.run, end ? std::optional(end->reason.value()) : std::nullopt};
}

// What was said, and after how many visits: "" and 0 where nothing was.
std::pair<std::string, int> printed(const Job& job, double sd, uint64_t seed) {
  FakeExecutor executor(scattered(sd, seed));
  MemorySink sink;
  struct Listener final : Observer {
    void on_visit(const schema::Visit&, const Progress&) override { ++visits; }
    void on_event(const schema::Event& event, const Progress&) override {
      ++events;
      if (what.empty()) at = visits;
      what = event.what;
    }
    int visits = 0, at = 0, events = 0;
    std::string what;
  } listener;
  Session session(job, {executor, sink, &listener, {}});
  EXPECT_TRUE(run(session));
  EXPECT_LE(listener.events, 1) << "it is said once";
  return {listener.what, listener.at};
}

TEST(Reach, AHopelessRunSaysSoAfterThreeBlocksWithWhatItWillReach) {
  const auto [what, after] = printed(job_to(0.001), 0.2, 7);
  EXPECT_THAT(what, HasSubstr("the target precision is not reachable"));
  EXPECT_THAT(what, HasSubstr("12 blocks give \u00b1"));
  EXPECT_THAT(what, HasSubstr("not \u00b10.1"));
  EXPECT_EQ(after, 9) << "three blocks of three visits";
}

TEST(Reach, WhatIsPromisedIsAboutWhatComes) {
  const Played played = play_reach(job_to(0.001), scattered(0.05, 3));
  ASSERT_EQ(played.run.events.size(), 1u);
  const std::string& what = played.run.events.front().what;
  const auto at = what.find("give \u00b1") + std::string("give \u00b1").size();
  const double promised = std::stod(what.substr(at)) / 100;
  // Paired contrasts of 12 visits: 2.2 * 0.05 * sqrt(2) / sqrt(12) = 0.045, known from 3 blocks.
  EXPECT_GT(promised, 0.045 / 3);
  EXPECT_LT(promised, 0.045 * 3);
}

TEST(Reach, AQuietRunIsNotTalkedOf) {
  EXPECT_EQ(printed(job_to(0.02), 0.002, 5).first, "");
}

TEST(Reach, AFixedNumberOfBlocksHasNoTarget) {
  Job job = job_to(0.001);
  job.header.plan.blocks_fixed = true;
  EXPECT_EQ(printed(job, 0.2, 5).first, "");
}

// Of runs that reach their target hardly any was told that it would not.
TEST(Reach, SeldomSpeaksTooSoon) {
  int reached = 0, wrongly = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    // The half-width to expect is 0.018 of 0.02.
    const Played played = play_reach(job_to(0.02), scattered(0.02, seed));
    if (played.reason != schema::EndReason::target_reached) continue;
    ++reached;
    if (!played.run.events.empty()) ++wrongly;
  }
  EXPECT_GT(reached, 50);
  EXPECT_LE(wrongly, 3);
}

TEST(Reach, WithABudgetItIsWhatTheBudgetBuys) {
  Job job = job_to(0.01);
  job.header.plan.budget_fixed = true;
  job.header.plan.budget_s = 90;  // 30 blocks
  const Played played = play_reach(job, scattered(0.1, 4));
  ASSERT_EQ(played.run.events.size(), 1u);
  EXPECT_THAT(played.run.events.front().what, HasSubstr("30 blocks give"));
  EXPECT_EQ(played.reason, schema::EndReason::budget);
}

}  // namespace
}  // namespace batchscope::measure
