#include "batchscope/capacity/max_batch_result.hpp"

#include <gtest/gtest.h>

#include "batchscope/findings/wording.hpp"
#include "fake_machine.hpp"

namespace batchscope::capacity {
namespace {

class MaxBatchOutcome : public MaxBatchRun {};

// What the result says of the memory that the safe size leaves, in its answer and in words alike.
TEST_F(MaxBatchOutcome, WhatIsLeftFreeIsOneStatement) {
  Machine machine;
  auto run = new_run(plan_of());
  search(machine, run, plan_of());
  const MaxBatchResult result = max_batch_result(run, plan_of());
  EXPECT_EQ(result.answer.confidence, findings::Confidence::verified);
  const auto free = result.found.front().soak->peak_bytes;
  ASSERT_TRUE(free);
  const std::string share = findings::percent(1 - static_cast<double>(*free) / kLimit) + " free";
  EXPECT_NE(result.answer.sure.find(share), std::string::npos) << result.answer.sure;
  EXPECT_EQ(free_words(result.plan, result.found.front()), "leaves " + share);
}

TEST_F(MaxBatchOutcome, WithoutAKnownLimitNothingIsStatedToBeLeftFree) {
  Machine machine;
  machine.device_bytes = 300 * kMiB;
  for (const int64_t limit : {int64_t{0}, 4 * kLimit}) {
    schema::MaxBatchSettings plan = plan_of(limit);
    plan.limit_held = limit != 0;
    auto run = new_run(plan);
    Machine fresh = machine;
    fresh.tried.clear();
    search(fresh, run, plan);
    const MaxBatchResult result = max_batch_result(run, plan);
    const FoundBatch& found = result.found.front();
    EXPECT_EQ(found.largest, 20);
    EXPECT_LT(found.safe.value_or(99), 20);
    EXPECT_EQ(result.answer.confidence, findings::Confidence::shown);
    EXPECT_EQ(result.answer.sure.find("% free"), std::string::npos) << result.answer.sure;
    EXPECT_EQ(free_words(plan, found).find("% free"), std::string::npos);
  }
}

}  // namespace
}  // namespace batchscope::capacity
