#include <gtest/gtest.h>

#include "batchscope/measure/session.hpp"
#include "fake_executor.hpp"

namespace batchscope::measure {
namespace {

using base::Result;

struct Outcome {
  schema::EndReason reason{};
  schema::RunFile run;
};

Outcome play(const Job& job, FakeExecutor::Answer answer, std::stop_token stop = {}) {
  FakeExecutor executor(std::move(answer));
  MemorySink sink;
  Session session(job, {executor, sink, nullptr, std::move(stop)});
  const auto end = run(session);
  EXPECT_TRUE(end) << (end ? "" : base::to_string(end.error()));
  return {end ? end->reason.value() : schema::EndReason::other, sink.run};
}

TEST(Interruption, AStopEndsItBetweenVisits) {
  std::stop_source source;
  int visits = 0;
  const Outcome outcome = play(
      job_of({1, 2, 4}),
      [&](const VisitRequest& r) {
        if (++visits == 5) source.request_stop();
        return steady(r);
      },
      source.get_token());
  EXPECT_EQ(outcome.reason, schema::EndReason::interrupted);
  EXPECT_EQ(outcome.run.visits.size(), 5u);
  ASSERT_TRUE(outcome.run.end);
}

// Who stopped it is not to be told that it ended by itself, and a script not to go on.
TEST(Interruption, AStopGoesBeforeABudgetThatIsSpent) {
  const auto reason = [](int stop_at, double budget_s) {
    std::stop_source source;
    Job job = job_of({1, 2, 4, 8});
    job.header.plan.budget_fixed = true;
    job.header.plan.budget_s = budget_s;
    int visits = 0;
    const auto answer = [&](const VisitRequest& r) -> Result<VisitOutcome> {
      if (++visits == stop_at) source.request_stop();
      schema::Visit visit = visit_of(r, std::vector<int64_t>(5, 1'000'000));
      if (r.block > 0) visit.wall_ns = 5'000'000'000;
      return VisitOutcome(visit);
    };
    return play(job, answer, source.get_token()).reason;
  };
  EXPECT_EQ(reason(4, 6), schema::EndReason::interrupted) << "between two blocks";
  EXPECT_EQ(reason(6, 10), schema::EndReason::interrupted) << "within a block";
  EXPECT_EQ(reason(0, 10), schema::EndReason::budget);
}

TEST(Interruption, AStopWithTheLastVisitIsOneToo) {
  std::stop_source source;
  Job job = job_of({1});
  job.header.plan.blocks = 2;
  int visits = 0;
  const Outcome outcome = play(
      job,
      [&](const VisitRequest& r) {
        if (++visits == 2) source.request_stop();
        return steady(r);
      },
      source.get_token());
  EXPECT_EQ(outcome.run.visits.size(), 2u);
  EXPECT_EQ(outcome.reason, schema::EndReason::interrupted);
}

TEST(Interruption, AVisitThatWasInterruptedIsNotRecorded) {
  int visits = 0;
  const Outcome outcome = play(job_of({1, 2}), [&](const VisitRequest& r) -> Result<VisitOutcome> {
    if (++visits == 4) return base::Error{base::ErrorKind::interrupted, "interrupted", "", ""};
    return steady(r);
  });
  EXPECT_EQ(outcome.reason, schema::EndReason::interrupted);
  EXPECT_EQ(outcome.run.visits.size(), 3u);
  EXPECT_TRUE(outcome.run.events.empty());
}

}  // namespace
}  // namespace batchscope::measure
