// What recorders write that name lanes, not categories; made small, in the shapes they have.
#include "batchscope/trace/formats.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "read_text.hpp"

namespace batchscope::trace {
namespace {

TEST(Formats, HaveOneReaderEachAndTheLastTakesEveryText) {
  for (const TraceFormat& format : formats()) {
    EXPECT_NE(format.read_text == nullptr, format.read_file == nullptr) << format.what;
    EXPECT_FALSE(format.endings.empty()) << format.what;
  }
  EXPECT_TRUE(formats().back().recognises("anything"));
  EXPECT_NE(formats().back().read_text, nullptr);
}

TEST(Formats, AreReportedByTheEndOfAName) {
  EXPECT_TRUE(endings().starts_with(".json, .json.gz, .json.zst, .sqlite")) << endings();
  EXPECT_TRUE(is_named_as_a_trace("folder.of/rank0.json.gz"));
  EXPECT_TRUE(is_named_as_a_trace("export.sqlite"));
  EXPECT_FALSE(is_named_as_a_trace("run.jsonl"));
  EXPECT_FALSE(is_named_as_a_trace("trace.json.d/readme"));
}

std::string named(const char* what, int pid, int64_t tid, const char* name) {
  return std::string(R"({"ph":"M","name":")") + what + R"(","pid":)" + std::to_string(pid) +
         R"(,"tid":)" + std::to_string(tid) + R"(,"args":{"name":")" + name + "\"}},";
}

std::map<ActivityKind, int64_t> time_by_kind(const Trace& trace) {
  std::map<ActivityKind, int64_t> times;
  const auto& rows = trace.activities;
  for (size_t row = 0; row < rows.size(); ++row) times[rows.kind[row]] += rows.duration_ns[row];
  return times;
}

const Track& track_of_kernels(const Trace& trace) {
  for (size_t row = 0; row < trace.activities.size(); ++row) {
    if (trace.activities.kind[row] == ActivityKind::kernel) return trace.track_of(row);
  }
  static const Track none;
  return none;
}

const std::string kXla =
    R"({"displayTimeUnit":"ns","traceEvents":[)" + named("process_name", 1, 0, "/device:GPU:2") +
    named("thread_name", 1, 13, "Stream #13(compute)") +
    named("thread_name", 1, 14, "Stream #14(MemcpyH2D)") + named("thread_name", 1, 2, "XLA Ops") +
    named("thread_name", 1, 1, "XLA Modules") + named("thread_name", 1, 3, "Steps") +
    named("process_name", 701, 0, "/host:CPU") +
    R"json({"ph":"X","pid":1,"tid":3,"ts":0,"dur":100,"name":"7"},
    {"ph":"X","pid":1,"tid":1,"ts":10,"dur":80,"name":"jit_step(1)"},
    {"ph":"X","pid":1,"tid":13,"ts":10,"dur":30,"name":"sgemm","args":{"correlation_id":"5"}},
    {"ph":"X","pid":1,"tid":14,"ts":2,"dur":6,"name":"MemcpyH2D",
     "args":{"memcpy_details":"kind_src:pageable kind_dst:device size:4096 dest:0 async:1"}},
    {"ph":"X","pid":1,"tid":2,"ts":10,"dur":30,"name":"fusion.0"},
    {"ph":"X","pid":701,"tid":9,"ts":3,"dur":4,"name":"cuLaunchKernel",
     "args":{"correlation_id":"5"}},
    {}]})json";

TEST(Formats, LanesOfXlaAreADevicesStreams) {
  const Trace trace = read(kXla);
  EXPECT_EQ(trace.read.profiler, "XLA (JAX, TensorFlow)");
  EXPECT_EQ(trace.read.skipped, 0);
  const auto times = time_by_kind(trace);
  EXPECT_EQ(times.at(ActivityKind::kernel), 30'000);
  EXPECT_EQ(times.at(ActivityKind::memcpy), 6'000);
  EXPECT_EQ(times.at(ActivityKind::device_range), 110'000);
  EXPECT_EQ(times.at(ActivityKind::runtime), 4'000);
  EXPECT_EQ(track_of_kernels(trace).device, 2);
  EXPECT_EQ(track_of_kernels(trace).stream, 13);
  ASSERT_EQ(trace.copies.size(), 1U);
  EXPECT_EQ(trace.copies[0].bytes, 4096);
  EXPECT_EQ(trace.copies[0].direction, CopyDirection::to_device);
  EXPECT_EQ(trace.copies[0].host_memory, HostMemory::pageable);
}

TEST(Formats, TheLaneOfStepsTellsSteps) {
  const Trace trace = read(kXla);
  EXPECT_THAT(trace.names, testing::Contains("ProfilerStep#7"));
  EXPECT_EQ(time_by_kind(trace).at(ActivityKind::range), 100'000);
}

TEST(Formats, WhereXlaShowsNoStreamItsOperationsAreTheWork) {
  const Trace trace = read(R"({"traceEvents":[)" + named("process_name", 3, 0, "/device:TPU:0") +
                           named("thread_name", 3, 5, "XLA Ops") +
                           R"({"ph":"X","pid":3,"tid":5,"ts":10,"dur":30,"name":"fusion.0"}]})");
  EXPECT_EQ(time_by_kind(trace).at(ActivityKind::kernel), 30'000);
}

TEST(Formats, CopiesWithoutALaneAreNoWorkOfADevice) {
  const Trace trace = read(R"({"traceEvents":[{"ph":"X","pid":1,"tid":14,"ts":2,"dur":6,
    "name":"MemcpyH2D","args":{"memcpy_details":"size:4096"}}]})");
  EXPECT_EQ(time_by_kind(trace), (std::map<ActivityKind, int64_t>{{ActivityKind::range, 6'000}}));
}

TEST(Formats, AscendsHardwareIsRead) {
  const Trace trace = read(
      "[" + named("process_name", 31, 0, "CANN") + named("process_name", 32, 0, "Ascend Hardware") +
      named("process_name", 33, 0, "Overlap Analysis") + named("thread_name", 32, 2, "Stream 2") +
      R"({"name":"Node@launch","pid":31,"tid":78,"ts":"1715600000123468.000","dur":8.0,
          "args":{"connection_id":4},"ph":"X"},
         {"name":"aclnnMatmul","pid":32,"tid":2,"ts":"1715600000123486.000","dur":9.5,
          "args":{"Task Type":"AI_CORE","connection_id":4},"ph":"X"},
         {"name":"Computing","pid":33,"tid":0,"ts":"1715600000123486.000","dur":9.5,"ph":"X"}])");
  EXPECT_EQ(trace.read.profiler, "Ascend PyTorch Profiler");
  const auto times = time_by_kind(trace);
  EXPECT_EQ(times.at(ActivityKind::kernel), 9'500);
  EXPECT_EQ(times.at(ActivityKind::runtime), 8'000);
  EXPECT_EQ(times.at(ActivityKind::device_range), 9'500);
  EXPECT_EQ(track_of_kernels(trace).stream, 2);
  for (size_t row = 0; row < trace.activities.size(); ++row) {
    if (trace.activities.kind[row] == ActivityKind::kernel) {
      EXPECT_EQ(trace.activities.correlation[row], 4);
    }
  }
}

// What a lane of operations and a stream both show ran once; what only the lane shows ran, too.
TEST(Formats, AscendsCommunicationIsCountedOnce) {
  const Trace trace =
      read("[" + named("process_name", 32, 0, "Ascend Hardware") +
           named("process_name", 33, 0, "Communication") + named("thread_name", 32, 3, "Stream 3") +
           named("thread_name", 33, 0, "Group 0 Communication") +
           R"({"name":"hcom_allReduce_1","pid":32,"tid":3,"ts":"100","dur":3,"ph":"X"},
         {"name":"hcom_allReduce_1","pid":33,"tid":0,"ts":"100","dur":3,"ph":"X"},
         {"name":"hcom_allGather_2","pid":33,"tid":0,"ts":"110","dur":5,"ph":"X"}])");
  const auto times = time_by_kind(trace);
  EXPECT_EQ(times.at(ActivityKind::kernel), 8'000);
  EXPECT_EQ(times.at(ActivityKind::device_range), 3'000);
}

TEST(Formats, UnitracesDeviceHasANumberOfItsOwn) {
  const Trace trace = read(
      R"json({"traceEvents":[{"ph":"X","tid":77,"pid":99001,"name":"gemm","cat":"gpu_op","ts":5,"dur":9,
      "args":{"id":"1"}},{"ph":"X","tid":77,"pid":99001,"cat":"gpu_op","ts":20,"dur":2,
      "name":"zeCommandListAppendMemoryCopy(H2D)[64 bytes]","args":{"id":"2"}},
      {"ph":"X","tid":5,"pid":5,"name":"zeCommandListAppendLaunchKernel","cat":"cpu_op","ts":1,
      "dur":2,"id":1}]})json");
  EXPECT_EQ(trace.read.profiler, "unitrace (Intel)");
  const auto times = time_by_kind(trace);
  EXPECT_EQ(times.at(ActivityKind::kernel), 9'000);
  EXPECT_EQ(times.at(ActivityKind::memcpy), 2'000);
  EXPECT_EQ(times.at(ActivityKind::runtime), 2'000);
  EXPECT_EQ(track_of_kernels(trace).device, 0);
}

TEST(Formats, AProfileOfOnnxRuntimeIsCalledSo) {
  const Trace trace = read(
      R"([{"cat":"Session","pid":9,"tid":9,"dur":5,"ts":3,"ph":"X","name":"session_initialization"},
      {"cat":"Node","pid":9,"tid":9,"dur":7,"ts":30,"ph":"X","name":"MatMul_1_kernel_time"}])");
  EXPECT_EQ(trace.read.profiler, "ONNX Runtime");
  EXPECT_EQ(time_by_kind(trace).at(ActivityKind::op), 7'000);
}

TEST(Formats, RocprofsRecordsAreKernelsCopiesAndCalls) {
  const Trace trace = read(R"json({"rocprofiler-sdk-tool":[{"metadata":{"pid":4},
    "agents":[{"id":{"handle":8},"type":1},{"id":{"handle":9},"type":2,"name":"gfx942",
    "cu_count":304}],"strings":{"buffer_records":[{"kind":"HIP","operations":["hipLaunchKernel"]},
    {"kind":"COPY","operations":["MEMORY_COPY_HOST_TO_DEVICE"]}]},
    "buffer_records":{"hip_api":[{"kind":0,"operation":0,"thread_id":6,
    "correlation_id":{"internal":3},"start_timestamp":100,"end_timestamp":150}],
    "memory_copy":[{"kind":1,"operation":0,"correlation_id":{"internal":2},"start_timestamp":10,
    "end_timestamp":60,"src_agent_id":{"handle":8},"dst_agent_id":{"handle":9},"bytes":77}],
    "kernel_dispatch":[{"correlation_id":{"internal":3},"start_timestamp":200,"end_timestamp":500,
    "dispatch_info":{"agent_id":{"handle":9},"queue_id":{"handle":1},"kernel_id":2,
    "workgroup_size":{"x":64,"y":1,"z":1},"grid_size":{"x":640,"y":1,"z":1}}}]},
    "kernel_symbols":[{"kernel_id":2,"formatted_kernel_name":"add(float*)"}]}]})json");
  EXPECT_EQ(trace.read.profiler, "rocprofv3");
  EXPECT_FALSE(trace.read.truncated);
  const auto times = time_by_kind(trace);
  EXPECT_EQ(times.at(ActivityKind::kernel), 300);
  EXPECT_EQ(times.at(ActivityKind::memcpy), 50);
  EXPECT_EQ(times.at(ActivityKind::runtime), 50);
  EXPECT_THAT(trace.names, testing::UnorderedElementsAre("add(float*)", "hipLaunchKernel",
                                                         "MEMORY_COPY_HOST_TO_DEVICE"));
  EXPECT_EQ(trace.launches.at(0).grid_blocks, 10);
  EXPECT_EQ(trace.copies.at(0).bytes, 77);
  EXPECT_EQ(trace.copies.at(0).direction, CopyDirection::to_device);
  ASSERT_NE(trace.device_info(0), nullptr);
  EXPECT_EQ(trace.device_info(0)->multiprocessors, 304);
}

TEST(Formats, WhatIsNoTimelineIsNamedWithACommand) {
  for (const std::string text :
       {R"({"schema":"1.1.1-chakra.0.0.4","nodes":[]})", "[[17, 0, [4096, 0]]]", "PK\x03\x04"}) {
    const auto trace = TraceReader().parse(text, "file");
    ASSERT_FALSE(trace);
    EXPECT_FALSE(trace.error().fix.empty());
  }
}

}  // namespace
}  // namespace batchscope::trace
