#include <gtest/gtest.h>

#include <string>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/attribution/host_time.hpp"
#include "batchscope/attribution/warm_up.hpp"
#include "made_trace.hpp"

namespace batchscope::attribution {
namespace {

constexpr int64_t kUs = 1000;

// Steps of 100 us on a thread, each with kernels of 60 us in all.
class Loop {
 public:
  // From `start` on; `before`: of the host, before it launches.
  Loop& step(int64_t start, int64_t before = 0, int kernels = 6) {
    const int64_t end = start + before + 100;
    made.range(thread, name(number++), start, end);
    for (int i = 0; i < kernels; ++i) {
      const int64_t at = start + before + 5 + 15 * i;
      made.call(thread, "cudaLaunchKernel", at, at + 2, ++launched);
      made.kernel(stream, at + 4, at + 14, launched);
    }
    return *this;
  }
  // That launch, but whose work is not in the trace.
  Loop& unseen(int64_t start) {
    made.range(thread, name(number++), start, start + 100);
    for (int i = 0; i < 6; ++i) {
      made.call(thread, "cudaLaunchKernel", start + 5 + 15 * i, start + 7 + 15 * i, ++launched);
    }
    return *this;
  }
  static std::string name(int number) { return "ProfilerStep#" + std::to_string(number); }

  MadeTrace made;
  size_t thread = made.thread(1);
  size_t stream = made.stream(0, 7);
  int number = 1;
  int64_t launched = 0;
};

std::vector<ExclusionReason> reasons_of(const Attribution& found) {
  std::vector<ExclusionReason> reasons;
  for (const ExcludedInterval& each : found.exclusions) reasons.push_back(each.reason);
  return reasons;
}
using Reasons = std::vector<ExclusionReason>;

TEST(Exclusions, UsualStepsAllCount) {
  Loop loop;
  loop.step(0).step(100).step(200, 150).step(450);
  const Attribution found = attribute(loop.made.made());
  EXPECT_TRUE(found.exclusions.empty());
  EXPECT_EQ(found.devices[0].wall_ns(), 550 * kUs);
}

TEST(Exclusions, StepsWithoutWorkOfADeviceDoNotCount) {
  Loop loop;
  loop.unseen(0).step(100).step(200).unseen(300);
  const Attribution found = attribute(loop.made.made());
  EXPECT_EQ(reasons_of(found), (Reasons{ExclusionReason::no_work, ExclusionReason::no_work}));
  EXPECT_EQ(found.exclusions[1].step, 4);
  ASSERT_EQ(found.steps.size(), 2U);
  EXPECT_EQ(found.devices[0].start_ns, 100 * kUs);
  EXPECT_EQ(found.devices[0].wall_ns(), 200 * kUs);
  EXPECT_EQ(found.devices[0].parts.busy_ns(), 120 * kUs);
  EXPECT_EQ(found.devices[0].parts.wall_ns(), found.devices[0].wall_ns());
}

// As where a recording is cut: the last step has hardly begun.
TEST(Exclusions, NorOfTheWorkOfWhichHardlyAnyIsThere) {
  Loop loop;
  loop.step(0, 0, 60).step(1000, 0, 60);
  loop.made.range(loop.thread, Loop::name(3), 2000, 3000);
  loop.made.call(loop.thread, "cudaLaunchKernel", 2000, 2002, 1001);
  loop.made.kernel(loop.stream, 2010, 2030, 1001);
  const Attribution found = attribute(loop.made.made());
  EXPECT_EQ(reasons_of(found), Reasons{ExclusionReason::no_work});
  EXPECT_EQ(found.devices[0].end_ns, 2030 * kUs);  // what it did counts
}

// A checkpoint, or a batch that came late: the host was seen at something else.
TEST(Exclusions, AStepInWhichTheHostDidSomethingElseCounts) {
  Loop loop;
  loop.step(0).step(100).step(200);
  loop.made.range(loop.thread, Loop::name(4), 300, 700);
  loop.made.op(loop.thread, "save", 310, 690);
  const Attribution found = attribute(loop.made.made());
  EXPECT_TRUE(found.exclusions.empty());
  EXPECT_EQ(found.devices[0].wall_ns(), 700 * kUs);
}

TEST(Exclusions, ADeviceThatNoStepUsesIsNoReason) {
  Loop loop;
  loop.unseen(0).unseen(100);
  EXPECT_TRUE(attribute(loop.made.made()).exclusions.empty());
}

TEST(Exclusions, WhereNothingIsRecordedBetweenStepsNothingIsIdle) {
  Loop loop;
  loop.step(0).step(100).step(5000).step(5100);
  loop.made.range(loop.thread, "epoch", -10, 6000);  // holds all of it
  const Attribution found = attribute(loop.made.made());
  ASSERT_EQ(reasons_of(found), Reasons{ExclusionReason::no_record});
  EXPECT_EQ(found.exclusions[0].step, 2);
  EXPECT_EQ(found.exclusions[0].wall_ns(), 4800 * kUs);
  EXPECT_EQ(found.devices[0].wall_ns(), 400 * kUs);
  EXPECT_EQ(found.devices[0].parts.idle_ns(), 160 * kUs);
  EXPECT_EQ(found.steps[1].wall_ns(), 100 * kUs);
  for (const Gap& gap : found.devices[0].largest_gaps) {
    EXPECT_LT(gap.end_ns - gap.start_ns, 100 * kUs);
  }
}

TEST(Exclusions, WhatIsRecordedBetweenStepsCounts) {
  Loop loop;
  loop.step(0).step(100).step(5000).step(5100);
  loop.made.op(loop.thread, "save", 250, 4990);
  EXPECT_TRUE(attribute(loop.made.made()).exclusions.empty());
}

// Ranges that somebody named may stand apart: what the loop does between them is its own.
TEST(Exclusions, WhatIsUsualBetweenStepsCounts) {
  Loop loop;
  loop.step(0).step(1000).step(2000).step(3000).step(4000);
  EXPECT_TRUE(attribute(loop.made.made()).exclusions.empty());
}

TEST(Exclusions, AFirstStepThatCompilesDoesNotCount) {
  Loop loop;
  loop.step(0, 2000).step(2100).step(2200).step(2300);
  EXPECT_TRUE(attribute(loop.made.made()).exclusions.empty());  // nobody knows why
  loop.made.range(loop.thread, "_compile.compile_inner (dynamo_timed)", 1, 1900);
  const Attribution found = attribute(loop.made.made());
  ASSERT_EQ(reasons_of(found), Reasons{ExclusionReason::compilation});
  EXPECT_DOUBLE_EQ(found.exclusions[0].times_typical, 21);
  EXPECT_EQ(found.devices[0].start_ns, 2100 * kUs);
  EXPECT_EQ(found.devices[0].wall_ns(), 300 * kUs);
  EXPECT_EQ(found.devices[0].pieces.front().start_ns, 2100 * kUs);
}

TEST(Exclusions, NorOneThatCapturesAGraph) {
  Loop loop;
  loop.step(0, 2000).step(2100).step(2200);
  loop.made.call(loop.thread, "cudaStreamBeginCapture_v10000", 10, 20);
  loop.made.call(loop.thread, "cudaStreamEndCapture", 1900, 1950);
  EXPECT_EQ(reasons_of(attribute(loop.made.made())), Reasons{ExclusionReason::capture});
}

TEST(Exclusions, AStepThatIsALittleLongerCountsThoughItCompiles) {
  Loop loop;
  loop.step(0, 150).step(250).step(350);
  loop.made.range(loop.thread, "_compile.compile_inner (dynamo_timed)", 1, 140);
  EXPECT_TRUE(attribute(loop.made.made()).exclusions.empty());
}

TEST(Exclusions, OneStepIsAlwaysLeft) {
  Loop loop;
  loop.step(0, 2000);
  loop.made.range(loop.thread, "_compile.compile_inner (dynamo_timed)", 1, 1900);
  EXPECT_EQ(attribute(loop.made.made()).steps.size(), 1U);
}

TEST(Exclusions, HoldForATraceOfTheHostAlone) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  for (const int64_t at : {0, 100, 5000, 5100}) {
    made.range(thread, Loop::name(static_cast<int>(at)), at, at + 100);
    made.op(thread, "aten::mm", at + 10, at + 90);
  }
  const trace::Trace trace = made.made();
  const TraceIndex index(trace);
  const Attribution found = attribute(index);
  EXPECT_EQ(reasons_of(found), Reasons{ExclusionReason::no_record});
  const HostTime host = host_time(index, found.steps);
  EXPECT_EQ(host.wall_ns(), 400 * kUs);
  EXPECT_EQ(host.parts[HostPart::nothing], 80 * kUs);
}

TEST(WarmUp, IsReportedByNames) {
  using trace::ActivityKind;
  EXPECT_EQ(warm_up_of("backend_compile", ActivityKind::range), ExclusionReason::compilation);
  EXPECT_EQ(warm_up_of("cudaGraphInstantiate", ActivityKind::runtime), ExclusionReason::capture);
  EXPECT_EQ(warm_up_of("cuModuleLoadDataEx", ActivityKind::runtime), ExclusionReason::loading);
  EXPECT_FALSE(warm_up_of("Torch-Compiled Region: 0/0", ActivityKind::range));
  EXPECT_FALSE(warm_up_of("CompiledFunction", ActivityKind::op));
  EXPECT_FALSE(warm_up_of("torch/_compile.py(32): inner", ActivityKind::python));
  EXPECT_FALSE(warm_up_of("cudaGraphLaunch", ActivityKind::runtime));
}

}  // namespace
}  // namespace batchscope::attribution
