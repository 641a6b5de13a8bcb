#include "batchscope/measure/trial.hpp"

#include <gmock/gmock.h>

#include "fake_executor.hpp"

namespace batchscope::measure {
namespace {

using ::testing::HasSubstr;

Job real_job() {
  Job job = job_of({4, 2, 8});
  for (schema::RunConfig& config : job.configs) config.engine = "torch";
  schema::RunConfig other = job.configs.front();
  other.model = "other";
  job.configs.push_back(other);
  job.models["other"].name = "other";
  return job;
}

base::Result<void> tried(const Job& job, FakeExecutor& executor) {
  return try_models(job, executor, {});
}

FakeExecutor failing(schema::EventKind kind) {
  return FakeExecutor([kind](const VisitRequest&) -> base::Result<VisitOutcome> {
    return VisitOutcome(failure_of(kind));
  });
}

TEST(Trial, EveryModelIsCalledOnceAtItsSmallestBatch) {
  FakeExecutor executor([](const VisitRequest& request) -> base::Result<VisitOutcome> {
    return VisitOutcome(visit_of(request, {1}));
  });
  EXPECT_TRUE(tried(real_job(), executor));
  ASSERT_EQ(executor.requests.size(), 2U);
  EXPECT_EQ(executor.requests[0].run.model, "model");
  EXPECT_EQ(executor.requests[0].run.shape.batch_size, 2);
  EXPECT_EQ(executor.requests[0].warmup.fixed, 0);
  EXPECT_EQ(executor.requests[0].timed.fixed, 1);
  EXPECT_EQ(executor.requests[1].model.name, "other");
}

TEST(Trial, OfAMixOfLengthsItIsTheFirstBatch) {
  Job job = real_job();
  for (schema::RunConfig& config : job.configs) {
    config.shape.length_mix = "8-16:uniform";
    config.shape.lengths.assign(static_cast<std::size_t>(config.shape.batch_size) * 3, 8);
  }
  FakeExecutor executor([](const VisitRequest& request) -> base::Result<VisitOutcome> {
    return VisitOutcome(visit_of(request, {1}));
  });
  EXPECT_TRUE(tried(job, executor));
  EXPECT_EQ(executor.requests[0].run.shape.lengths, (std::vector<int64_t>{8, 8}));
}

TEST(Trial, ARefusedCallIsWrongInputAndACrashAFailure) {
  FakeExecutor refusing = failing(schema::EventKind::error);
  const auto refused = tried(real_job(), refusing);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::input);
  EXPECT_THAT(refused.error().what, HasSubstr("as the test has it"));
  EXPECT_THAT(refused.error().fix, HasSubstr("(--input)"));
  ASSERT_EQ(refusing.requests.size(), 2U) << "at the next batch too";
  EXPECT_EQ(refusing.requests[1].run.shape.batch_size, 4);
  FakeExecutor crashing = failing(schema::EventKind::crash);
  EXPECT_EQ(tried(real_job(), crashing).error().kind, base::ErrorKind::failed);
}

TEST(Trial, WhatFailsAtTheSmallestBatchAloneIsForTheRunToTell) {
  FakeExecutor executor([](const VisitRequest& request) -> base::Result<VisitOutcome> {
    if (request.run.shape.batch_size > 2) return VisitOutcome(visit_of(request, {1}));
    return VisitOutcome(failure_of(schema::EventKind::error));
  });
  Job job = real_job();
  job.configs.pop_back();  // the other model, of one size
  EXPECT_TRUE(tried(job, executor));
  job.configs = {job.configs[1]};
  EXPECT_FALSE(tried(job, executor)) << "there is no other size";
}

// They may be due to the moment: the run will tell.
TEST(Trial, WantOfMemoryOrTimeIsNoMistake) {
  for (const schema::EventKind kind :
       {schema::EventKind::out_of_memory, schema::EventKind::timeout}) {
    FakeExecutor executor = failing(kind);
    EXPECT_TRUE(tried(real_job(), executor)) << to_string(kind);
  }
}

// They take no input, but can be told to fail.
TEST(Trial, LawsAreCalledToo) {
  FakeExecutor executor([](const VisitRequest& request) -> base::Result<VisitOutcome> {
    if (request.run.shape.batch_size <= 2)
      return VisitOutcome(failure_of(schema::EventKind::error));
    return VisitOutcome(visit_of(request, {1}));
  });
  EXPECT_EQ(tried(job_of({2, 1}), executor).error().kind, base::ErrorKind::input);
  EXPECT_TRUE(tried(job_of({4, 8}), executor));
}

TEST(Trial, AnInterruptionIsOne) {
  FakeExecutor executor([](const VisitRequest&) -> base::Result<VisitOutcome> {
    return base::Error{base::ErrorKind::interrupted, "interrupted", "", ""};
  });
  EXPECT_EQ(tried(real_job(), executor).error().kind, base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace batchscope::measure
