#include "diagnosis/trace_totals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace batchscope::torch_plugin {
namespace {

using Kind = TraceEvent::Kind;
using testing::ElementsAre;

TraceEvent event(std::string name, int64_t start, int64_t end, int64_t thread = 1,
                 Kind kind = Kind::host_operator) {
  TraceEvent made;
  made.name = std::move(name);
  made.kind = kind;
  made.thread = thread;
  made.start_ns = start;
  made.end_ns = end;
  return made;
}

TraceEvent kernel(std::string name, int64_t start, int64_t end) {
  return event(std::move(name), start, end, 7, Kind::kernel);
}

schema::Operation operation(std::string name, schema::OperationKind kind, int64_t calls,
                            int64_t total, int64_t self) {
  schema::Operation made;
  made.name = std::move(name);
  made.kind = kind;
  made.calls = calls;
  made.total_ns = total;
  made.self_ns = self;
  return made;
}

schema::Operation host(std::string name, int64_t calls, int64_t total, int64_t self) {
  return operation(std::move(name), schema::OperationKind::op, calls, total, self);
}

TEST(SumTrace, FindsNothingInNothing) {
  const TraceTotals totals = sum_trace({});
  EXPECT_TRUE(totals.operations.empty());
  EXPECT_FALSE(totals.device_busy_ns.has_value());
}

TEST(SumTrace, TakesFromTheCallerWhatTheCalledTakes) {
  const auto totals = sum_trace({event("addmm", 20, 60), event("linear", 0, 100),
                                 event("transpose", 5, 15), event("as_strided", 7, 10)});
  EXPECT_THAT(totals.operations,
              ElementsAre(host("linear", 1, 100, 50), host("addmm", 1, 40, 40),
                          host("transpose", 1, 10, 7), host("as_strided", 1, 3, 3)));
}

TEST(SumTrace, SumsCallsOfOneName) {
  const auto totals = sum_trace({event("add", 0, 10), event("add", 10, 25), event("add", 30, 31)});
  EXPECT_THAT(totals.operations, ElementsAre(host("add", 3, 26, 26)));
}

TEST(SumTrace, CountsTheTotalOnceWhereANameCallsItself) {
  const auto totals =
      sum_trace({event("f", 0, 100), event("g", 10, 90), event("f", 20, 50), event("f", 30, 40)});
  EXPECT_THAT(totals.operations, ElementsAre(host("f", 3, 100, 50), host("g", 1, 80, 50)));
}

TEST(SumTrace, KeepsThreadsApart) {
  const auto totals = sum_trace(
      {event("forward", 0, 100, 1), event("backward", 10, 60, 2), event("mm", 20, 30, 2)});
  EXPECT_THAT(totals.operations, ElementsAre(host("forward", 1, 100, 100),
                                             host("backward", 1, 50, 40), host("mm", 1, 10, 10)));
}

TEST(SumTrace, CountsTheSameNameOnEachThread) {
  const auto totals = sum_trace({event("mm", 0, 100, 1), event("mm", 10, 60, 2)});
  EXPECT_THAT(totals.operations, ElementsAre(host("mm", 2, 150, 150)));
}

TEST(SumTrace, CountsEventsWithoutLength) {
  const auto totals = sum_trace({event("f", 0, 10), event("mark", 4, 4), event("g", 4, 8),
                                 event("mark", 10, 10), event("mark", 0, 0)});
  EXPECT_THAT(totals.operations,
              ElementsAre(host("f", 1, 10, 6), host("g", 1, 4, 4), host("mark", 3, 0, 0)));
}

TEST(SumTrace, GivesAMomentToOneOfTwoThatOverlapInPart) {
  const auto totals = sum_trace(
      {event("f", 0, 100), event("g", 10, 60), event("launch", 50, 70, 1, Kind::runtime)});
  EXPECT_THAT(totals.operations,
              ElementsAre(host("f", 1, 100, 40), host("g", 1, 50, 40),
                          operation("launch", schema::OperationKind::runtime, 1, 20, 20)));
}

TEST(SumTrace, TakesRuntimeCallsFromTheOperatorThatMakesThem) {
  const auto totals =
      sum_trace({event("mm", 0, 30), event("cudaLaunchKernel", 10, 15, 1, Kind::runtime)});
  EXPECT_THAT(totals.operations,
              ElementsAre(host("mm", 1, 30, 25),
                          operation("cudaLaunchKernel", schema::OperationKind::runtime, 1, 5, 5)));
}

TEST(SumTrace, LeavesTheDevicesTimeWholeAndUnitesIt) {
  const auto totals = sum_trace({kernel("a", 0, 50), kernel("b", 40, 60), kernel("a", 100, 110),
                                 event("copy", 105, 130, 9, Kind::memcpy),
                                 event("zero", 106, 107, 9, Kind::memset), event("mm", 0, 999)});
  EXPECT_THAT(
      totals.operations,
      ElementsAre(host("mm", 1, 999, 999), operation("a", schema::OperationKind::kernel, 2, 60, 60),
                  operation("copy", schema::OperationKind::memcpy, 1, 25, 25),
                  operation("b", schema::OperationKind::kernel, 1, 20, 20),
                  operation("zero", schema::OperationKind::memset, 1, 1, 1)));
  EXPECT_EQ(totals.device_busy_ns, 90);
}

TEST(SumTrace, ShowsTheLongestLaunch) {
  std::vector<TraceEvent> events{kernel("a", 0, 10), kernel("a", 20, 50), kernel("a", 60, 65)};
  for (size_t i = 0; i < events.size(); ++i) {
    events[i].facts.grid_blocks = 10 * static_cast<int64_t>(i + 1);
    events[i].facts.threads_per_block = 128;
    events[i].facts.blocks_per_sm = 4;
    events[i].facts.occupancy = 0.25;
    events[i].facts.multiprocessors = 132;
  }
  const auto totals = sum_trace(events);
  ASSERT_EQ(totals.operations.size(), 1);
  EXPECT_EQ(totals.operations[0].grid_blocks, 20);
  EXPECT_EQ(totals.operations[0].threads_per_block, 128);
  EXPECT_EQ(totals.operations[0].blocks_per_sm, 4);
  EXPECT_EQ(totals.operations[0].occupancy, 0.25);
  EXPECT_EQ(totals.multiprocessors, 132);
}

TEST(SumTrace, SumsTheBytesOfCopies) {
  std::vector<TraceEvent> events{event("Memcpy HtoD (Pageable -> Device)", 0, 10, 9, Kind::memcpy),
                                 event("Memcpy HtoD (Pageable -> Device)", 20, 30, 9, Kind::memcpy),
                                 event("Memcpy HtoD (Pinned -> Device)", 40, 45, 9, Kind::memcpy)};
  for (auto& copy : events) copy.facts.bytes = 1000;
  const auto totals = sum_trace(events);
  ASSERT_EQ(totals.operations.size(), 2);
  EXPECT_EQ(totals.operations[0].bytes, 2000);
  EXPECT_TRUE(totals.operations[0].pageable);
  EXPECT_EQ(totals.operations[1].bytes, 1000);
  EXPECT_FALSE(totals.operations[1].pageable);
}

TEST(SumTrace, SumsTheRestOfAKindUnderOther) {
  const auto totals = sum_trace({event("a", 0, 50), event("b", 50, 90), event("c", 90, 120),
                                 event("d", 120, 145), kernel("k", 0, 5)},
                                2);
  EXPECT_THAT(totals.operations,
              ElementsAre(host("other", 2, 55, 55), host("a", 1, 50, 50), host("b", 1, 40, 40),
                          operation("other", schema::OperationKind::kernel, 1, 5, 5)));
}

}  // namespace
}  // namespace batchscope::torch_plugin
