#include "batchscope/measure/session.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "batchscope/stats/rng.hpp"
#include "fake_executor.hpp"

namespace batchscope::measure {
namespace {

using base::Result;

// Every visit is off by a normal draw with this standard deviation (ln).
FakeExecutor::Answer noisy(double sd) {
  auto rng = std::make_shared<stats::Rng>(5);
  return [rng, sd](const VisitRequest& request) -> Result<VisitOutcome> {
    const auto time = static_cast<int64_t>(1e7 * std::exp(sd * rng->normal()));
    return VisitOutcome(visit_of(request, std::vector<int64_t>(5, time)));
  };
}

struct Outcome {
  schema::EndReason reason{};
  schema::RunFile run;
  std::vector<VisitRequest> requests;
  int blocks_ended = 0;
};

Outcome play(const Job& job, FakeExecutor::Answer answer, std::stop_token stop = {}) {
  FakeExecutor executor(std::move(answer));
  MemorySink sink;
  Session session(job, {executor, sink, nullptr, std::move(stop)});
  const auto end = run(session);
  EXPECT_TRUE(end) << (end ? "" : base::to_string(end.error()));
  return {end ? end->reason.value() : schema::EndReason::other, sink.run, executor.requests,
          executor.blocks_ended};
}

std::map<int, std::vector<int>> order_by_block(const std::vector<VisitRequest>& requests) {
  std::map<int, std::vector<int>> order;
  for (const VisitRequest& request : requests) order[request.block].push_back(request.config);
  return order;
}

TEST(Session, EveryBlockVisitsEveryConfigurationOnce) {
  const Outcome outcome = play(job_of({1, 2, 4, 8}), steady);
  EXPECT_EQ(outcome.reason, schema::EndReason::blocks_done);
  const auto order = order_by_block(outcome.requests);
  EXPECT_EQ(order.size(), 12u);
  for (const auto& [block, configs] : order) {
    EXPECT_EQ(std::set<int>(configs.begin(), configs.end()), (std::set<int>{0, 1, 2, 3}));
    EXPECT_EQ(configs.size(), 4u);
  }
  EXPECT_EQ(outcome.blocks_ended, 12);
  EXPECT_EQ(outcome.run.visits.size(), 48u);
  EXPECT_EQ(outcome.run.configs.size(), 4u);
}

TEST(Session, AVisitKnowsTheBatchSizeOfTheOneBeforeInItsBlock) {
  const Outcome outcome = play(job_of({1, 2, 4, 8}), steady);
  const std::vector<VisitRequest>& requests = outcome.requests;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const int64_t before = requests[i].order == 0 ? 0 : requests[i - 1].run.shape.batch_size;
    EXPECT_EQ(requests[i].context.previous_batch_size, before) << i;
  }
}

TEST(Session, TheOrderIsRandomAndFollowsTheSeed) {
  Job job = job_of({1, 2, 4, 8});
  const auto first = order_by_block(play(job, steady).requests);
  EXPECT_EQ(order_by_block(play(job, steady).requests), first);
  std::set<std::vector<int>> different;
  for (const auto& [block, configs] : first) different.insert(configs);
  EXPECT_GT(different.size(), 4u);
  job.header.seed = 18;
  EXPECT_NE(order_by_block(play(job, steady).requests), first);
}

TEST(Session, EveryOrderIsEquallyLikely) {
  Job job = job_of({1, 2, 4});
  job.header.plan.blocks = 6000;
  job.header.plan.warmup = 2;
  std::map<std::vector<int>, int> counts;
  for (const auto& [block, configs] : order_by_block(play(job, steady).requests)) ++counts[configs];
  ASSERT_EQ(counts.size(), 6u);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(Session, TwoFailuresDropAConfigurationAndTheRestGoesOn) {
  const Outcome outcome =
      play(job_of({1, 2, 4}), [](const VisitRequest& r) -> Result<VisitOutcome> {
        if (r.config == 1) return VisitOutcome(failure_of(schema::EventKind::out_of_memory));
        return steady(r);
      });
  EXPECT_EQ(outcome.reason, schema::EndReason::blocks_done);
  EXPECT_EQ(outcome.run.visits.size(), 24u);
  ASSERT_EQ(outcome.run.events.size(), 3u);
  EXPECT_EQ(outcome.run.events[0].kind, schema::EventKind::out_of_memory);
  EXPECT_EQ(outcome.run.events[0].where.config, 1);
  EXPECT_EQ(outcome.run.events[0].where.block, 0);
  EXPECT_EQ(outcome.run.events[1].where.block, 1);
  EXPECT_EQ(outcome.run.events[2].kind, schema::EventKind::warning);
  EXPECT_EQ(outcome.run.events[2].where.config, 1);
}

TEST(Session, AFailureSaysHowLongItTook) {
  const Outcome outcome = play(job_of({1, 2}), [](const VisitRequest& r) -> Result<VisitOutcome> {
    if (r.config == 1) return VisitOutcome(failure_of(schema::EventKind::timeout));
    return steady(r);
  });
  ASSERT_EQ(outcome.run.events.size(), 3u);
  EXPECT_EQ(outcome.run.events[0].wall_ns, 1'000'000'000);
  EXPECT_EQ(outcome.run.events[2].wall_ns, 0) << "a warning takes no time";
}

TEST(Session, OneFailureCostsItsVisitOnly) {
  const Outcome outcome = play(job_of({1, 2}), [](const VisitRequest& r) -> Result<VisitOutcome> {
    if (r.config == 1 && r.block == 3) return VisitOutcome(failure_of(schema::EventKind::crash));
    return steady(r);
  });
  EXPECT_EQ(outcome.run.visits.size(), 23u);
  EXPECT_EQ(outcome.run.events.size(), 1u);
}

TEST(Session, EndsWhenNothingIsLeft) {
  const Outcome outcome = play(job_of({1, 2}), [](const VisitRequest&) -> Result<VisitOutcome> {
    return VisitOutcome(failure_of(schema::EventKind::error));
  });
  EXPECT_EQ(outcome.reason, schema::EndReason::nothing_left);
  EXPECT_EQ(outcome.requests.size(), 4u);
}

TEST(Session, AnErrorOfTheExecutorEndsTheRun) {
  FakeExecutor executor([](const VisitRequest&) -> Result<VisitOutcome> {
    return base::Error{base::ErrorKind::failed, "no such program", "", ""};
  });
  MemorySink sink;
  Session session(job_of({1}), {executor, sink, nullptr, {}});
  const auto end = run(session);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().what, "no such program");
}

TEST(Session, AFullDiskEndsTheRunAndKeepsWhatIsThere) {
  FakeExecutor executor(steady);
  MemorySink sink;
  sink.fail_at = 7;
  Session session(job_of({1, 2}), {executor, sink, nullptr, {}});
  const auto end = run(session);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().kind, base::ErrorKind::failed);
  EXPECT_EQ(sink.run.visits.size(), 7u);
  EXPECT_EQ(session.recorded().visits.size(), 7u);
}

TEST(Session, PreciseContrastsEndItAfterThePilot) {
  Job job = job_of({1, 2, 4});
  job.header.plan.blocks_fixed = false;
  job.header.plan.budget_fixed = true;
  job.header.plan.budget_s = 1e6;
  const Outcome outcome = play(job, noisy(0.005));
  EXPECT_EQ(outcome.reason, schema::EndReason::target_reached);
  EXPECT_EQ(outcome.run.visits.size(), 36u);
}

TEST(Session, AnExtensionGoesAsFarAsThePilotSays) {
  Job job = job_of({1, 2});
  job.header.plan.blocks_fixed = false;
  job.header.plan.budget_fixed = true;
  job.header.plan.budget_s = 1e6;
  const Outcome outcome = play(job, noisy(0.05));
  // Half-width of a pair's mean after 12 blocks: about t * 0.05 * sqrt(2 / 12) = 0.045 = 2.2
  // targets.
  EXPECT_GT(outcome.run.visits.size(), 2u * 24u);
  EXPECT_LT(outcome.run.visits.size(), 2u * 200u);
  EXPECT_TRUE(outcome.reason == schema::EndReason::target_reached ||
              outcome.reason == schema::EndReason::blocks_done);
}

TEST(Session, WithoutABudgetOfTheUsersThereIsNoExtension) {
  Job job = job_of({1, 2});
  job.header.plan.blocks_fixed = false;
  const Outcome outcome = play(job, noisy(0.05));
  EXPECT_EQ(outcome.reason, schema::EndReason::blocks_done);
  EXPECT_EQ(outcome.run.visits.size(), 24u);
}

TEST(Session, TheBudgetCutsTheExtension) {
  Job job = job_of({1, 2});
  job.header.plan.blocks_fixed = false;
  job.header.plan.budget_fixed = true;
  job.header.plan.budget_s = 31;  // a visit takes a second: 15 blocks
  const Outcome outcome = play(job, noisy(0.2));
  EXPECT_EQ(outcome.reason, schema::EndReason::budget);
  EXPECT_EQ(outcome.run.visits.size(), 30u);
  EXPECT_DOUBLE_EQ(outcome.run.end->wall_s, 30);
}

TEST(Session, TheBudgetCutsThePilotAndWarnsAfterTheFirstBlock) {
  Job job = job_of({1, 2, 4, 8});
  job.header.plan.blocks_fixed = false;
  job.header.plan.budget_fixed = true;
  job.header.plan.budget_s = 10;
  const Outcome outcome = play(job, steady);
  EXPECT_EQ(outcome.reason, schema::EndReason::budget);
  EXPECT_EQ(outcome.run.visits.size(), 8u);
  ASSERT_EQ(outcome.run.events.size(), 1u);
  EXPECT_NE(outcome.run.events[0].what.find("about 2 blocks"), std::string::npos)
      << outcome.run.events[0].what;
}

TEST(Session, TheBudgetIsKeptWithinABlockToo) {
  Job job = job_of({1, 2, 4, 8});
  job.header.plan.blocks_fixed = false;
  job.header.plan.budget_fixed = true;
  job.header.plan.budget_s = 10;
  const Outcome outcome = play(job, [](const VisitRequest& r) -> Result<VisitOutcome> {
    schema::Visit visit = visit_of(r, std::vector<int64_t>(5, 1'000'000));
    if (r.block > 0) visit.wall_ns = 5'000'000'000;  // the machine became slow
    return VisitOutcome(visit);
  });
  EXPECT_EQ(outcome.reason, schema::EndReason::budget);
  EXPECT_EQ(outcome.run.visits.size(), 4u + 2u) << "4 s, 9 s, and then 1 s was expected";
}

TEST(Session, AFixedNumberOfBlocksHasNoBudgetUnlessOneIsGiven) {
  Job job = job_of({1, 2});
  job.header.plan.blocks = 400;
  EXPECT_EQ(play(job, steady).run.visits.size(), 800u);
  job.header.plan.budget_fixed = true;
  job.header.plan.budget_s = 20;
  const Outcome outcome = play(job, steady);
  EXPECT_EQ(outcome.reason, schema::EndReason::budget);
  EXPECT_EQ(outcome.run.visits.size(), 20u);
}

TEST(Session, WhatPreparingTookIsPartOfTheBudget) {
  Job job = job_of({1, 2});
  job.header.plan.blocks_fixed = false;
  job.header.plan.budget_fixed = true;
  job.header.plan.budget_s = 20;
  const auto visits_after = [&](double prepared_s) {
    FakeExecutor executor(steady);
    MemorySink sink;
    Session session(job, {executor, sink, nullptr, {}, {}, {}, {}, prepared_s});
    const auto end = run(session);
    EXPECT_EQ(end->reason, schema::EndReason::budget);
    EXPECT_DOUBLE_EQ(end->wall_s,
                     static_cast<double>(sink.run.visits.size()) + std::min(prepared_s, 10.0));
    return sink.run.visits.size();
  };
  EXPECT_EQ(visits_after(0), 20u);
  EXPECT_EQ(visits_after(6), 14u);
  EXPECT_EQ(visits_after(60), 10u) << "half of a budget is always measured in";
}

TEST(Session, LaterBlocksWarmUpLongerWhenEarlierOnesWereNotWarm) {
  const Outcome outcome = play(job_of({1, 2, 4, 8}), [](const VisitRequest& r) {
    // Iterations 0 to 4 are 5 % slow, but the visit takes two for its warm-up.
    std::vector<int64_t> samples(20, 1'000'000);
    for (int i = 0; i < 3; ++i) samples[static_cast<std::size_t>(i)] = 1'050'000 + r.block;
    return VisitOutcome(visit_of(r, samples, {1'050'000, 1'050'000}));
  });
  for (const VisitRequest& request : outcome.requests) {
    EXPECT_EQ(request.warmup.at_least, request.block < 2 ? 2 : 5) << request.block;
  }
}

TEST(Session, AFixedWarmupStays) {
  Job job = job_of({1, 2});
  job.header.plan.warmup = 3;
  job.header.plan.iterations = 7;
  for (const VisitRequest& request : play(job, steady).requests) {
    EXPECT_EQ(request.warmup.fixed, 3);
    EXPECT_EQ(request.timed.fixed, 7);
  }
}

TEST(Session, RequestsCarryThePlan) {
  Job job = job_of({1, 2});
  job.header.plan.sync = schema::Sync::end;
  job.header.plan.min_visit_s = 0.5;
  job.header.plan.timed_over_startup = 2;
  const auto requests = play(job, steady).requests;
  EXPECT_FALSE(requests[0].wait_each);
  EXPECT_EQ(requests[0].timed.at_least_ns, 500'000'000);
  EXPECT_EQ(requests[0].timed.over_startup, 2);
  EXPECT_EQ(requests[0].model.name, "model");
  EXPECT_EQ(requests[0].context.seed, 17u);
  EXPECT_EQ(requests[5].context.number, 5);
  EXPECT_EQ(requests[5].context.elapsed_ns, 5'000'000'000);
}

TEST(Session, IsolationSaysWhichVisitsShareAProcess) {
  const auto processes = [](schema::Isolation isolation) {
    Job job = job_of({1, 2, 4});
    job.header.plan.isolation = isolation;
    std::set<int64_t> numbers;
    for (const VisitRequest& request : play(job, steady).requests) {
      numbers.insert(request.context.process);
    }
    return numbers.size();
  };
  EXPECT_EQ(processes(schema::Isolation::config), 36u);
  EXPECT_EQ(processes(schema::Isolation::block), 12u);
  EXPECT_EQ(processes(schema::Isolation::none), 1u);
}

TEST(Session, AStageKeepsToItsOwnBudget) {
  FakeExecutor executor(steady);
  MemorySink sink;
  Session session(job_of({1, 2}), {executor, sink, nullptr, {}});
  ASSERT_TRUE(session.begin());
  ASSERT_TRUE(session.run_main());
  Stage stage;
  stage.again = {0, 1};
  stage.blocks = 10;
  stage.budget_s = 7;
  EXPECT_EQ(session.run_stage(stage).value_or(schema::EndReason::other), schema::EndReason::budget);
  EXPECT_EQ(sink.run.visits.size(), 24u + 6u);
}

class CountingObserver final : public Observer {
 public:
  void on_start(const schema::RunFile&, const Progress&) override { ++starts; }
  void on_visit(const schema::Visit&, const Progress& progress) override {
    ++visits;
    last = progress;
  }
  void on_block(std::span<const ConfigEstimate> all, const Progress&) override {
    ++blocks;
    estimates.assign(all.begin(), all.end());
  }
  void on_end(const schema::End&) override { ++ends; }

  int starts = 0, visits = 0, blocks = 0, ends = 0;
  Progress last;
  std::vector<ConfigEstimate> estimates;
};

TEST(Session, TheObserverHearsOfEverything) {
  FakeExecutor executor(noisy(0.01));
  MemorySink sink;
  CountingObserver observer;
  Session session(job_of({1, 2}), {executor, sink, &observer, {}});
  ASSERT_TRUE(run(session));
  EXPECT_EQ(observer.starts, 1);
  EXPECT_EQ(observer.visits, 24);
  EXPECT_EQ(observer.blocks, 12);
  EXPECT_EQ(observer.ends, 1);
  EXPECT_EQ(observer.last.blocks, 12);
  EXPECT_DOUBLE_EQ(observer.last.spent_s, 24);
  EXPECT_DOUBLE_EQ(observer.last.left_s.value_or(-1), 0);
  ASSERT_EQ(observer.estimates.size(), 2u);
  EXPECT_NEAR(observer.estimates[0].time_ms.value, 10, 0.5);
  EXPECT_FALSE(observer.estimates[0].half_width);
  EXPECT_TRUE(observer.estimates[1].half_width);
}

}  // namespace
}  // namespace batchscope::measure
