#include <gtest/gtest.h>

#include "batchscope/measure/session.hpp"
#include "fake_executor.hpp"

namespace batchscope::measure {
namespace {

base::Result<VisitOutcome> steady(const VisitRequest& request) {
  return VisitOutcome(visit_of(request, std::vector<int64_t>(5, 1'000'000)));
}

TEST(DiagnosticStage, LooksAtTheThreadsFirstAndThenTraces) {
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
