#include "batchscope/attribution/host_time.hpp"

#include <gtest/gtest.h>

#include <string>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/trace/reader.hpp"

namespace batchscope::attribution {
namespace {

constexpr int64_t kMs = 1'000'000;

// Milliseconds, of a thread.
std::string event(const char* name, const char* category, int thread, int start, int length) {
  return std::string(R"({"ph":"X","cat":")") + category + R"(","name":")" + name +
         R"(","pid":1,"tid":)" + std::to_string(thread) + R"(,"ts":)" +
         std::to_string(start * 1000) + R"(,"dur":)" + std::to_string(length * 1000) + "},";
}

// Two steps of 100 ms: 60 of loading, 10 forward, 15 backward, 5 of the optimizer, 10 of nothing.
std::string two_steps() {
  std::string text;
  for (const int step : {0, 1}) {
    const int at = 100 * step;
    text += event(step == 0 ? "ProfilerStep#3" : "ProfilerStep#4", "user_annotation", 7, at, 100) +
            event("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "user_annotation",
                  7, at, 60) +
            event("aten::stack", "cpu_op", 7, at + 10, 40) +
            event("aten::linear", "cpu_op", 7, at + 60, 10) +
            event("aten::addmm", "cpu_op", 7, at + 61, 8) +
            event("autograd::engine::evaluate_function: AddmmBackward0", "cpu_op", 7, at + 70, 15) +
            event("aten::mm", "cpu_op", 7, at + 72, 10) +
            event("Optimizer.step#SGD.step", "user_annotation", 7, at + 85, 5) +
            event("aten::add_", "cpu_op", 7, at + 86, 3);
  }
  return text;
}

HostTime times_of(std::string events) {
  events.pop_back();  // the last comma
  auto trace = trace::TraceReader().parse("[" + events + "]", "test");
  if (!trace) return {};
  const TraceIndex index(*trace);
  return host_time(index, attribute(index, {}).steps);
}

TEST(HostTimes, EveryMomentOfTheStepsIsOnePart) {
  const HostTime host = times_of(two_steps());
  EXPECT_EQ(host.wall_ns(), 200 * kMs);
  EXPECT_EQ(host.parts[HostPart::loading], 120 * kMs);
  EXPECT_EQ(host.parts[HostPart::forward], 20 * kMs);
  EXPECT_EQ(host.parts[HostPart::backward], 30 * kMs);
  EXPECT_EQ(host.parts[HostPart::optimizer], 10 * kMs);
  EXPECT_EQ(host.parts[HostPart::nothing], 20 * kMs);
  ASSERT_EQ(host.steps.size(), 2U);
  EXPECT_EQ(host.steps[1].number, 4);
  EXPECT_EQ(host.steps[1].parts[HostPart::loading], 60 * kMs);
}

TEST(HostTimes, LoadingTakesInWhatItCalls) {
  const HostTime host = times_of(event("dataloader", "user_annotation", 7, 0, 50) +
                                 event("Optimizer.step#A", "user_annotation", 7, 10, 10) +
                                 event("aten::add", "cpu_op", 7, 60, 40));
  EXPECT_EQ(host.parts[HostPart::loading], 50 * kMs);
  EXPECT_EQ(host.parts[HostPart::optimizer], 0);
  EXPECT_EQ(host.parts[HostPart::forward], 40 * kMs);
  EXPECT_EQ(host.wall_ns(), 100 * kMs);
}

TEST(HostTimes, InclusiveTimesCountWhatIsAround) {
  const HostTime host = times_of(event("Optimizer.step#A", "user_annotation", 7, 0, 50) +
                                 event("gloo:all_reduce", "user_annotation", 7, 10, 30));
  ASSERT_EQ(host.threads.size(), 1U);
  EXPECT_EQ(host.threads[0].own[HostPart::optimizer], 20 * kMs);
  EXPECT_EQ(host.threads[0].own[HostPart::communication], 30 * kMs);
  EXPECT_EQ(host.threads[0].inclusive[HostPart::optimizer], 50 * kMs);
  EXPECT_EQ(host.threads[0].inclusive[HostPart::communication], 30 * kMs);
}

TEST(HostTimes, OtherThreadsCountWhereTheMainOneDoesNothing) {
  const HostTime host = times_of(
      event("ProfilerStep#1", "user_annotation", 7, 0, 100) + event("aten::a", "cpu_op", 7, 0, 30) +
      event("autograd::engine::evaluate_function: B", "cpu_op", 8, 20, 50));
  EXPECT_EQ(host.parts[HostPart::forward], 30 * kMs);
  EXPECT_EQ(host.parts[HostPart::backward], 40 * kMs);
  EXPECT_EQ(host.parts[HostPart::nothing], 30 * kMs);
  EXPECT_EQ(host.alone_ns, 60 * kMs);
  EXPECT_EQ(host.threads.size(), 2U);
}

TEST(HostTimes, WhatRepeatsIsTheStepWhereNoneWasRecorded) {
  std::string text;
  for (const int run : {0, 1, 2, 3}) {
    text += event("model_run", "Session", 7, 20 * run, 10) +
            event("MatMul_1_kernel_time", "Node", 7, 20 * run + 1, 8);
  }
  const HostTime host = times_of(text);
  EXPECT_EQ(host.steps_named, "model_run");
  EXPECT_EQ(host.steps.size(), 4U);
  EXPECT_EQ(host.wall_ns(), 70 * kMs);
  EXPECT_EQ(host.parts[HostPart::forward], 32 * kMs);
}

TEST(HostTimes, NothingOfTheHostIsNoTime) {
  const HostTime host = times_of(R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,
    "dur":2,"args":{"device":0,"stream":7}},)");
  EXPECT_EQ(host.wall_ns(), 0);
  EXPECT_TRUE(host.threads.empty());
}

}  // namespace
}  // namespace batchscope::attribution
