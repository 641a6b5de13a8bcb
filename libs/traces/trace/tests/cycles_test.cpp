#include "batchscope/trace/cycles.hpp"

#include <gtest/gtest.h>

namespace batchscope::trace {
namespace {

TEST(WorkerOf, TensorBoardsNamesTellTheWorkerAndTheSpan) {
  const Worker first = worker_of("log/host_7.1700000000001.pt.trace.json");
  const Worker second = worker_of("log/host_7.1700000009999.pt.trace.json.gz");
  EXPECT_EQ(first.name, "log/host_7");
  EXPECT_EQ(second.name, first.name);
  EXPECT_EQ(first.span, "1700000000001");
  EXPECT_NE(first.span, second.span);
}

TEST(WorkerOf, WorkersThatDifferAreRanks) {
  EXPECT_NE(worker_of("log/host_7.1700000000001.pt.trace.json").name,
            worker_of("log/host_8.1700000000001.pt.trace.json").name);
}

TEST(WorkerOf, ATraceOfXlaIsItsHostsAndOfTheRunsFolder) {
  const Worker first = worker_of("log/plugins/profile/2026_01_02/host.trace.json.gz");
  const Worker second = worker_of("log/plugins/profile/2026_01_03/host.trace.json.gz");
  EXPECT_EQ(first.name, second.name);
  EXPECT_EQ(second.span, "2026_01_03");
}

TEST(WorkerOf, OtherNamesSayNothing) {
  EXPECT_TRUE(worker_of("trace.json").name.empty());
  EXPECT_TRUE(worker_of("rank0.trace.json.gz").name.empty());
}

}  // namespace
}  // namespace batchscope::trace
