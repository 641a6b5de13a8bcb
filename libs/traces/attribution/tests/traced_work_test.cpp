#include "batchscope/attribution/traced_work.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "batchscope/trace/reader.hpp"

namespace batchscope::attribution {
namespace {

using testing::ElementsAre;

// An event of Kineto's file; times in nanoseconds.
struct Event {
  std::string name;
  int64_t start = 0;
  int64_t end = 0;
  int64_t thread = 1;
  std::string category = "cpu_op";
  std::string args{};

  std::string text() const {
    const auto microseconds = [](int64_t ns) {
      const std::string below = std::to_string(1000 + ns % 1000).substr(1);
      return std::to_string(ns / 1000) + "." + below;
    };
    return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name +
           R"(", "pid": 5, "tid": )" + std::to_string(thread) + R"(, "ts": )" +
           microseconds(start) + R"(, "dur": )" + microseconds(end - start) + R"(, "args": {)" +
           args + "}}";
  }
};

Event kernel(std::string name, int64_t start, int64_t end, std::string args = "") {
  return {std::move(name), start, end, 7, "kernel", std::move(args)};
}

TracedWork work_of(const std::vector<Event>& events, size_t most = 200) {
  std::string text;
  for (const Event& event : events) text += (text.empty() ? "" : ",") + event.text();
  const auto trace = trace::TraceReader().parse("{\"traceEvents\": [" + text + "]}", "test");
  EXPECT_TRUE(trace) << base::to_string(trace.error());
  return trace ? traced_work(*trace, most) : TracedWork{};
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

TEST(TracedWork, FindsNothingInNothing) {
  const TracedWork work = traced_work({});
  EXPECT_TRUE(work.operations.empty());
  EXPECT_FALSE(work.device_busy_ns.has_value());
}

TEST(TracedWork, TakesFromTheCallerWhatTheCalledTakes) {
  const auto work =
      work_of({{"addmm", 20, 60}, {"linear", 0, 100}, {"transpose", 5, 15}, {"as_strided", 7, 10}});
  EXPECT_THAT(work.operations,
              ElementsAre(host("linear", 1, 100, 50), host("addmm", 1, 40, 40),
                          host("transpose", 1, 10, 7), host("as_strided", 1, 3, 3)));
}

TEST(TracedWork, SumsCallsOfOneName) {
  const auto work = work_of({{"add", 0, 10}, {"add", 10, 25}, {"add", 30, 31}});
  EXPECT_THAT(work.operations, ElementsAre(host("add", 3, 26, 26)));
}

TEST(TracedWork, CountsTheTotalOnceWhereANameCallsItself) {
  const auto work = work_of({{"f", 0, 100}, {"g", 10, 90}, {"f", 20, 50}, {"f", 30, 40}});
  EXPECT_THAT(work.operations, ElementsAre(host("f", 3, 100, 50), host("g", 1, 80, 50)));
}

TEST(TracedWork, KeepsThreadsApart) {
  const auto work = work_of({{"forward", 0, 100, 1}, {"backward", 10, 60, 2}, {"mm", 20, 30, 2}});
  EXPECT_THAT(work.operations, ElementsAre(host("forward", 1, 100, 100),
                                           host("backward", 1, 50, 40), host("mm", 1, 10, 10)));
}

TEST(TracedWork, CountsTheSameNameOnEachThread) {
  const auto work = work_of({{"mm", 0, 100, 1}, {"mm", 10, 60, 2}});
  EXPECT_THAT(work.operations, ElementsAre(host("mm", 2, 150, 150)));
}

TEST(TracedWork, CountsEventsWithoutLength) {
  const auto work =
      work_of({{"f", 0, 10}, {"mark", 4, 4}, {"g", 4, 8}, {"mark", 10, 10}, {"mark", 0, 0}});
  EXPECT_THAT(work.operations,
              ElementsAre(host("f", 1, 10, 6), host("g", 1, 4, 4), host("mark", 3, 0, 0)));
}

TEST(TracedWork, GivesAMomentToOneOfTwoThatOverlapInPart) {
  const auto work = work_of({{"f", 0, 100}, {"g", 10, 60}, {"launch", 50, 70, 1, "cuda_runtime"}});
  EXPECT_THAT(work.operations,
              ElementsAre(host("f", 1, 100, 40), host("g", 1, 50, 40),
                          operation("launch", schema::OperationKind::runtime, 1, 20, 20)));
}

TEST(TracedWork, TakesRuntimeCallsFromTheOperatorThatMakesThem) {
  const auto work = work_of({{"mm", 0, 30}, {"cudaLaunchKernel", 10, 15, 1, "cuda_runtime"}});
  EXPECT_THAT(work.operations,
              ElementsAre(host("mm", 1, 30, 25),
                          operation("cudaLaunchKernel", schema::OperationKind::runtime, 1, 5, 5)));
}

TEST(TracedWork, ARangeIsAnOperatorAndOneWithThatOfItsName) {
  const auto work = work_of({{"step", 0, 30, 1, "user_annotation"}, {"step", 40, 50}});
  EXPECT_THAT(work.operations, ElementsAre(host("step", 2, 40, 40)));
}

TEST(TracedWork, LeavesOutTheRangesOfIterations) {
  const auto work = work_of({{"ProfilerStep#0", 0, 30, 1, "user_annotation"}, {"mm", 5, 25}});
  EXPECT_THAT(work.operations, ElementsAre(host("mm", 1, 20, 20)));
}

TEST(TracedWork, LeavesOutPythonFunctionsAndTheRecorder) {
  const auto work = work_of({{"mm", 0, 30},
                             {"train.py(3): step", 0, 60, 1, "python_function"},
                             {"Buffer Flush", 70, 90, 1, "overhead"}});
  EXPECT_THAT(work.operations, ElementsAre(host("mm", 1, 30, 30)));
}

TEST(TracedWork, LeavesTheDevicesTimeFullAndUnitesIt) {
  const auto work = work_of({kernel("a", 0, 50),
                             kernel("b", 40, 60),
                             kernel("a", 100, 110),
                             {"copy", 105, 130, 9, "gpu_memcpy"},
                             {"zero", 106, 107, 9, "gpu_memset"},
                             {"mm", 0, 999}});
  EXPECT_THAT(
      work.operations,
      ElementsAre(host("mm", 1, 999, 999), operation("a", schema::OperationKind::kernel, 2, 60, 60),
                  operation("copy", schema::OperationKind::memcpy, 1, 25, 25),
                  operation("b", schema::OperationKind::kernel, 1, 20, 20),
                  operation("zero", schema::OperationKind::memset, 1, 1, 1)));
  EXPECT_EQ(work.device_busy_ns, 90);
}

TEST(TracedWork, ShowsTheLongestLaunch) {
  const auto args = [](int blocks) {
    return R"("grid": [)" + std::to_string(blocks) + R"(, 1, 1], "block": [128, 1, 1],
        "activeBlocksPerMultiprocessor": 4, "est. achieved occupancy %": 12,
        "blocks per SM": )" +
           std::to_string(blocks / 132.0);
  };
  const auto work = work_of(
      {kernel("a", 0, 10, args(10)), kernel("a", 20, 50, args(20)), kernel("a", 60, 65, args(30))});
  ASSERT_EQ(work.operations.size(), 1);
  EXPECT_EQ(work.operations[0].grid_blocks, 20);
  EXPECT_EQ(work.operations[0].threads_per_block, 128);
  EXPECT_EQ(work.operations[0].blocks_per_sm, 4);
  EXPECT_EQ(work.operations[0].occupancy, 0.12);
  EXPECT_EQ(work.multiprocessors, 132);
}

TEST(TracedWork, LeavesAbsentWhatTheTraceDoesNotSay) {
  const auto work = work_of({kernel("a", 0, 10), {"copy", 20, 30, 9, "gpu_memcpy"}});
  ASSERT_EQ(work.operations.size(), 2);
  EXPECT_EQ(work.operations[0], operation("a", schema::OperationKind::kernel, 1, 10, 10));
  EXPECT_EQ(work.operations[1], operation("copy", schema::OperationKind::memcpy, 1, 10, 10));
  EXPECT_FALSE(work.multiprocessors.has_value());
}

TEST(TracedWork, SumsTheBytesOfCopies) {
  const std::string bytes = R"("bytes": 1000)";
  const auto work = work_of({{"Memcpy HtoD (Pageable -> Device)", 0, 10, 9, "gpu_memcpy", bytes},
                             {"Memcpy HtoD (Pageable -> Device)", 20, 30, 9, "gpu_memcpy", bytes},
                             {"Memcpy HtoD (Pinned -> Device)", 40, 45, 9, "gpu_memcpy", bytes}});
  ASSERT_EQ(work.operations.size(), 2);
  EXPECT_EQ(work.operations[0].bytes, 2000);
  EXPECT_TRUE(work.operations[0].pageable);
  EXPECT_EQ(work.operations[1].bytes, 1000);
  EXPECT_FALSE(work.operations[1].pageable);
}

TEST(TracedWork, SumsTheRestOfAKindUnderOther) {
  const auto work =
      work_of({{"a", 0, 50}, {"b", 50, 90}, {"c", 90, 120}, {"d", 120, 145}, kernel("k", 0, 5)}, 2);
  EXPECT_THAT(work.operations,
              ElementsAre(host("other", 2, 55, 55), host("a", 1, 50, 50), host("b", 1, 40, 40),
                          operation("other", schema::OperationKind::kernel, 1, 5, 5)));
}

}  // namespace
}  // namespace batchscope::attribution
