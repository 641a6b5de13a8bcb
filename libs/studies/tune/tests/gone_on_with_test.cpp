#include <gtest/gtest.h>

#include "batchscope/tune/tune.hpp"
#include "tuned_runs.hpp"

namespace batchscope::tune {
namespace {

// Sizes 1 to 32 by doublings, or to 1024 by fours, with one or two instances each.
measure::Job two_instances(const char* law, int64_t step, double budget_s, const TunePlan& plan) {
  measure::Job job = job_of(1, plan);
  const schema::RunConfig one = job.configs.front();
  job.models[law].name = law;
  job.configs.clear();
  for (int64_t size = 1, i = 0; i < 6; size *= step, ++i) {
    for (const int instances : {1, 2}) {
      job.configs.push_back(one);
      job.configs.back().model = law;
      job.configs.back().shape.batch_size = size;
      job.configs.back().instances = instances;
    }
  }
  job.header.configurations = 12;
  job.header.plan.budget_s = budget_s;
  return job;
}

// The highest rate of a law: of its largest size, with both instances.
struct SmallBudget {
  const char* law;
  int64_t step;
  double budget_s, best_rate;
};

class GoneOnWith : public testing::TestWithParam<SmallBudget> {};

TEST_P(GoneOnWith, ASearchIsOverByItsOwnRuleAlone) {
  const auto& [law, step, budget_s, best_rate] = GetParam();
  const TunePlan plan;
  const measure::Job job = two_instances(law, step, budget_s, plan);
  Heard heard;
  schema::RunFile run = tuned_run(job, plan, heard);
  int calls = 1;
  for (; run.end->reason == schema::EndReason::budget; ++calls) {
    ASSERT_LT(calls, 200) << tuned_of(run, plan).outcome.points_measured;
    const SearchOutcome before = tuned_of(run, plan).outcome;
    run = tuned_run(job, plan, heard, &run);
    const SearchOutcome after = tuned_of(run, plan).outcome;
    EXPECT_GE(after.points_measured, before.points_measured);
    if (calls < 3) {
      EXPECT_GT(after.points_measured, before.points_measured) << calls;
    }
  }
  EXPECT_GT(calls, 1);
  const Tuned last = tuned_of(run, plan);
  EXPECT_GE(last.outcome.points_measured, 8);
  EXPECT_TRUE(search_of(run, plan).is_over());
  EXPECT_GT(last.fresh->rate, 0.95 * best_rate);
}

constexpr const char* kTable =
    "synthetic:table:1=10.7ms,2=14ms,4=22ms,8=200ms,16=210ms,32=70ms;process_sd=0.01;visit_sd=0.01";
INSTANTIATE_TEST_SUITE_P(Budgets, GoneOnWith,
                         testing::Values(SmallBudget{kTable, 2, 5, 914},
                                         SmallBudget{kTable, 2, 6, 914},
                                         SmallBudget{kTable, 2, 9, 914},
                                         SmallBudget{kLaw, 4, 8, 990},
                                         SmallBudget{kLaw, 4, 20, 990}));

}  // namespace
}  // namespace batchscope::tune
