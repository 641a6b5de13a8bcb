// What Kineto says of one kernel or copy, and what its kinds of events are.
#include <gtest/gtest.h>

#include <string>

#include "batchscope/trace/reader.hpp"

namespace batchscope::trace {
namespace {

Trace trace_of(const std::string& events) {
  const auto trace = TraceReader().parse("{\"traceEvents\": [" + events + "]}", "test");
  EXPECT_TRUE(trace) << base::to_string(trace.error());
  return trace ? *trace : Trace{};
}

std::string event(const std::string& category, const std::string& name, const std::string& args) {
  return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name +
         R"(", "pid": 0, "tid": 7, "ts": 10.5, "dur": 2, "args": {)" + args + "}}";
}

LaunchFacts launch(const std::string& args) {
  const Trace trace = trace_of(event("kernel", "gemm", args));
  return trace.launches.empty() ? LaunchFacts{} : trace.launches.front();
}

ActivityKind kind_of(const std::string& category) {
  const Trace trace = trace_of(event(category, "x", ""));
  return trace.activities.row(0).kind;
}

bool is_passed_over(const std::string& category) {
  return trace_of(event(category, "x", "") + "," + event("cpu_op", "y", "")).activities.size() == 1;
}

TEST(KinetoFacts, OfAKernelAsKinetoDescribesIt) {
  const LaunchFacts facts = launch(R"("queued": 0, "device": 0, "context": 1, "stream": 7,
      "correlation": 41, "registers per thread": 168, "shared memory": 98304,
      "blocks per SM": 1.9393939, "warps per SM": 7.757576, "grid": [64, 2, 2],
      "block": [128, 1, 1], "est. achieved occupancy %": 12)");
  EXPECT_EQ(facts.grid_blocks, 256);
  EXPECT_EQ(facts.threads_per_block, 128);
  EXPECT_FLOAT_EQ(facts.occupancy, 0.12F);
  EXPECT_EQ(facts.multiprocessors, 132);
  EXPECT_EQ(facts.blocks_per_multiprocessor, 0) << "blocks per SM is the grid's share, no limit";
}

TEST(KinetoFacts, HowManyBlocksFitWhereKinetoTells) {
  EXPECT_EQ(
      launch(R"("occupancy": {"activeBlocksPerMultiprocessor": 2})").blocks_per_multiprocessor, 2);
  EXPECT_EQ(launch(R"("activeBlocksPerMultiprocessor": 3)").blocks_per_multiprocessor, 3);
  EXPECT_EQ(launch(R"("activeBlocksPerMultiprocessor": 0)").blocks_per_multiprocessor, 0);
}

TEST(KinetoFacts, OfACopy) {
  const Trace trace =
      trace_of(event("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)",
                     R"x("stream": 7, "bytes": 4096, "memory bandwidth (GB/s)": 1.5)x") +
               "," + event("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", R"("bytes": 8)"));
  ASSERT_EQ(trace.copies.size(), 2);
  EXPECT_EQ(trace.copies[0], (CopyFacts{4096, CopyDirection::to_device, HostMemory::pageable}));
  EXPECT_EQ(trace.copies[1], (CopyFacts{8, CopyDirection::to_host, HostMemory::pinned}));
}

TEST(KinetoFacts, WhatMakesNoSenseIsNotKnown) {
  for (const char* args : {"", R"("grid": "x", "block": [], "bytes": -4)",
                           R"("grid": [-1, 2, 3], "block": [0, 1, 1], "bytes": 1e300)",
                           R"("grid": [9000000000, 9000000000, 1], "block": [9000000000, 1, 1])",
                           R"("blocks per SM": 0, "grid": "4", "est. achieved occupancy %": -100)",
                           R"("est. achieved occupancy %": 101)"}) {
    EXPECT_EQ(launch(args), LaunchFacts{}) << args;
  }
  EXPECT_EQ(launch(R"("grid": [4, 1, 1], "blocks per SM": 0)").multiprocessors, 0);
}

TEST(KinetoFacts, TheWorkOfTheHostIsDistinguishedFromThatOfTheDevice) {
  EXPECT_EQ(kind_of("cpu_op"), ActivityKind::op);
  EXPECT_EQ(kind_of("user_annotation"), ActivityKind::range);
  for (const char* runtime :
       {"cuda_runtime", "cuda_driver", "xpu_runtime", "xpu_driver", "mtia_runtime", "hpu_op",
        "privateuse1_runtime", "privateuse1_driver"}) {
    EXPECT_EQ(kind_of(runtime), ActivityKind::runtime) << runtime;
  }
  EXPECT_EQ(kind_of("kernel"), ActivityKind::kernel);
  EXPECT_EQ(kind_of("mtia_ccp_events"), ActivityKind::kernel);
  EXPECT_EQ(kind_of("gpu_memcpy"), ActivityKind::memcpy);
  EXPECT_EQ(kind_of("gpu_memset"), ActivityKind::memset);
}

TEST(KinetoFacts, WhatIsNoWorkOccupiesNothing) {
  for (const char* category : {"cuda_sync", "gpu_user_annotation"}) {
    EXPECT_FALSE(occupies_device(kind_of(category))) << category;
  }
  for (const char* category :
       {"cuda_event", "cpu_instant_event", "external_correlation", "mtia_counters"}) {
    EXPECT_TRUE(is_passed_over(category)) << category;
  }
}

TEST(KinetoFacts, MtiasTransfersAreCopiesByTheirDirection) {
  const Trace trace = trace_of(
      event("mtia_ccp_events", "dma_request", R"("stream": 1, "direction": "DEVICE_TO_HOST",
          "size": 1024)") +
      "," +
      event("mtia_ccp_events", "dma_request", R"("stream": 2, "direction": "HOST_TO_DEVICE")"));
  ASSERT_EQ(trace.copies.size(), 2U);
  EXPECT_EQ(trace.activities.kind[0], ActivityKind::memcpy);
  EXPECT_EQ(trace.copy_of(0)->direction, CopyDirection::to_host);
  EXPECT_EQ(trace.copy_of(0)->bytes, 1024);
  EXPECT_EQ(trace.copy_of(1)->direction, CopyDirection::to_device);
}

TEST(KinetoFacts, WhatTheRecordingWasMadeWith) {
  const auto trace = TraceReader().parse(
      R"({"cuda_driver_version": 12090, "with_stack": 1, "username": "x", "traceEvents": [)" +
          event("cuda_profiler_range", "k", "") + "," + event("cpu_op", "y", "") +
          R"(], "distributedInfo": {"backend": "nccl", "rank": 1, "nccl_version": "2.21.5"}})",
      "test");
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->settings, (std::map<std::string, std::string>{{"cuda_driver_version", "12090"},
                                                                 {"nccl_version", "2.21.5"},
                                                                 {"with_stack", "1"}}));
  EXPECT_EQ(trace->counter_ranges, 1);
  EXPECT_EQ(trace->rank, 1);
}

// Kineto writes nanoseconds as decimal microseconds; through a double some would be off by one.
TEST(KinetoFacts, TimesAreExactToTheNanosecond) {
  const Trace trace = trace_of(R"({"ph": "X", "cat": "cpu_op", "name": "x", "pid": 1, "tid": 1,
      "ts": 4840540215615.821, "dur": 47013.001})");
  EXPECT_EQ(trace.activities.start_ns[0], 4840540215615821);
  EXPECT_EQ(trace.activities.duration_ns[0], 47013001);
}

}  // namespace
}  // namespace batchscope::trace
