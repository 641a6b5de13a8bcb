#include <gtest/gtest.h>

#include "batchscope/measure/session.hpp"
#include "fake_executor.hpp"

namespace batchscope::measure {
namespace {

TEST(Stage, AddsConfigurationsAndMeasuresOthersAgain) {
  FakeExecutor executor(steady);
  MemorySink sink;
  Job job = job_of({1, 2, 4});
  Session session(job, {executor, sink, nullptr, {}});
  ASSERT_TRUE(session.begin());
  ASSERT_TRUE(session.run_main());
  Stage stage;
  stage.added = {job.configs[0]};
  stage.added[0].shape.batch_size = 3;
  stage.again = {0, 2};
  stage.blocks = 6;
  stage.budget_s = 100;
  const auto reason = session.run_stage(stage);
  ASSERT_TRUE(reason);
  EXPECT_EQ(*reason, schema::EndReason::blocks_done);
  ASSERT_EQ(sink.run.configs.size(), 4u);
  EXPECT_EQ(sink.run.configs[3].shape.batch_size, 3);
  ASSERT_EQ(sink.run.visits.size(), 36u + 18u);
  for (std::size_t i = 36; i < sink.run.visits.size(); ++i) {
    const schema::Visit& visit = sink.run.visits[i];
    EXPECT_GE(visit.block, 12);
    EXPECT_NE(visit.config, 1);
    EXPECT_EQ(visit.purpose,
              visit.config == 3 ? schema::Purpose::control : schema::Purpose::measure);
  }
}

TEST(Stage, WhatAnInterventionIsBesideWarmsUpAsLong) {
  FakeExecutor executor([](const VisitRequest& r) {
    std::vector<int64_t> samples(20, 1'000'000);
    const bool warms = r.run.shape.batch_size == 4;  // with the cause, and without it
    for (std::size_t i = 0; i < 6; ++i) samples[i] = warms ? 1'300'000 + r.block : 1'000'000;
    const int64_t first = warms ? 1'300'000 : 1'000'000;
    return VisitOutcome(visit_of(r, samples, {first, first}));
  });
  MemorySink sink;
  const Job job = job_of({1, 2, 4, 8, 16, 32});
  Session session(job, {executor, sink, nullptr, {}});
  ASSERT_TRUE(session.begin());
  ASSERT_TRUE(session.run_main());
  executor.requests.clear();
  Stage stage;
  stage.added = {job.configs[2]};
  stage.added[0].environment = {{"A", "1"}};
  stage.again = {2};
  stage.purpose = schema::Purpose::intervention;
  stage.blocks = 6;
  stage.budget_s = 100;
  ASSERT_TRUE(session.run_stage(stage));
  ASSERT_EQ(executor.requests.size(), 12u);
  for (const VisitRequest& request : executor.requests) {
    EXPECT_EQ(request.warmup.at_least, 8) << request.config;
  }
}

TEST(DiagnosticStage, ChecksTheThreadsFirstAndThenTraces) {
  for (const bool wants_trace : {true, false}) {
    FakeExecutor executor(steady);
    MemorySink sink;
    Job job = job_of({1, 2});
    if (!wants_trace) job.header.plan.only = {"memory"};
    Session session(job, {executor, sink, nullptr, {}});
    ASSERT_TRUE(session.begin());
    ASSERT_TRUE(session.run_main());
    executor.requests.clear();
    Stage stage;
    stage.again = {0, 1};
    stage.purpose = schema::Purpose::diagnostic;
    stage.blocks = diagnostic_visits(job.header.plan);
    stage.budget_s = 100;
    EXPECT_EQ(session.run_stage(stage).value_or(schema::EndReason::other),
              schema::EndReason::blocks_done);
    ASSERT_EQ(executor.requests.size(), wants_trace ? 4u : 2u);
    for (std::size_t i = 0; i < executor.requests.size(); ++i) {
      EXPECT_EQ(executor.requests[i].purpose, schema::Purpose::diagnostic);
      EXPECT_EQ(executor.requests[i].traced, i >= 2);
    }
  }
}

}  // namespace
}  // namespace batchscope::measure
