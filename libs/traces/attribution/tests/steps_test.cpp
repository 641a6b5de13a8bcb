#include "steps.hpp"

#include <gtest/gtest.h>

#include "made_trace.hpp"

namespace batchscope::attribution {
namespace {

StepRanges steps_of(const MadeTrace& made, const std::string& prefix = "") {
  const trace::Trace trace = made.made();
  return find_steps(trace, classes_of(trace.names), prefix);
}

TEST(Steps, EachLastsUntilTheNextBeginsAndTheLastToItsEnd) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.range(thread, "ProfilerStep#11", 120, 200).range(thread, "ProfilerStep#10", 0, 100);
  const StepRanges found = steps_of(made);
  EXPECT_EQ(found.source, StepSource::recorded);
  ASSERT_EQ(found.steps.size(), 2U);
  EXPECT_EQ(found.steps[0].number, 10);
  EXPECT_EQ(found.steps[0].start_ns, 0);
  EXPECT_EQ(found.steps[0].end_ns, 120'000);
  EXPECT_EQ(found.steps[1].number, 11);
  EXPECT_EQ(found.steps[1].end_ns, 200'000);
}

TEST(Steps, ThoseOfOldRecordersAreOperators) {
  MadeTrace made;
  made.op(made.thread(1), "ProfilerStep#5", 0, 100);
  EXPECT_EQ(steps_of(made).steps.size(), 1U);
}

TEST(Steps, AreNamedByWhoAsks) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.range(thread, "ProfilerStep#1", 0, 300);
  made.range(thread, "batch", 0, 100).range(thread, "batch", 110, 200);
  const StepRanges found = steps_of(made, "bat");
  EXPECT_EQ(found.source, StepSource::named);
  ASSERT_EQ(found.steps.size(), 2U);
  EXPECT_EQ(found.steps[1].number, 1);
}

TEST(Steps, OfSeveralThreadsCountOnce) {
  MadeTrace made;
  const size_t first = made.thread(1);
  const size_t second = made.thread(2);
  made.range(first, "ProfilerStep#1", 0, 100).range(second, "ProfilerStep#1", 20, 60);
  made.range(first, "ProfilerStep#2", 101, 200).range(second, "ProfilerStep#2", 120, 160);
  EXPECT_EQ(steps_of(made).steps.size(), 2U);
}

// Ends that are rounded up lie a little behind the next start.
TEST(Steps, MayOverlapALittle) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.range(thread, "ProfilerStep#1", 0, 101).range(thread, "ProfilerStep#2", 100, 200);
  const StepRanges found = steps_of(made);
  ASSERT_EQ(found.steps.size(), 2U);
  EXPECT_EQ(found.steps[0].end_ns, 100'000);
}

TEST(Steps, NeedNotBe) {
  MadeTrace made;
  made.range(made.thread(1), "forward", 0, 100);
  EXPECT_EQ(steps_of(made).source, StepSource::none);
  EXPECT_EQ(steps_of(made, "no such").source, StepSource::none);
}

}  // namespace
}  // namespace batchscope::attribution
