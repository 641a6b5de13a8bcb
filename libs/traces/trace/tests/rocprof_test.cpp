#include "formats/rocprof.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace batchscope::trace {
namespace {

// As rocprofv3 writes them, with what is not read left out.
// clang-format off
constexpr std::string_view kFile = R"json({"rocprofiler-sdk-tool": [{
"metadata": {"pid": 4711, "init_time": 1, "fini_time": 9},
"agents": [{"size": 1, "id": {"handle": 11}, "type": 1, "name": "cpu"},
{"size": 1, "id": {"handle": 22}, "type": 2, "cu_count": 304, "name": "gfx942",
"product_name": "AMD Instinct MI300X", "mem_banks": [{"size": 7}]}],
"strings": {"buffer_records": [{"kind": "NONE", "operations": []},
{"kind": "HIP_RUNTIME_API", "operations": ["hipMalloc", "hipLaunchKernel"]}],
"marker_api": [{"key": 5, "value": "step"}]},
"kernel_symbols": [{"size": 1, "kernel_id": 3, "kernel_name": "_Z3addv.kd",
"formatted_kernel_name": "add()"}],
"callback_records": {"kernel_dispatch": [{"start_timestamp": 1, "end_timestamp": 2}]},
"buffer_records": {"kernel_dispatch": [{"size": 1, "kind": 11, "operation": 1, "thread_id": 9,
"correlation_id": {"internal": 4, "external": 0}, "start_timestamp": 1000,
"end_timestamp": 3000, "dispatch_info": {"agent_id": {"handle": 22},
"queue_id": {"handle": 2}, "kernel_id": 3, "workgroup_size": {"x": 64, "y": 2, "z": 1},
"grid_size": {"x": 1280, "y": 2, "z": 1}}}],
"memory_copy": [{"kind": 10, "operation": 2, "correlation_id": {"internal": 6},
"start_timestamp": 10, "end_timestamp": 20, "dst_agent_id": {"handle": 22},
"src_agent_id": {"handle": 11}, "bytes": 4096}],
"hip_api": [{"kind": 1, "operation": 1, "thread_id": 9, "correlation_id": {"internal": 4},
"start_timestamp": 5, "end_timestamp": 8}],
"marker_api": [{"kind": 2, "operation": 0, "thread_id": 9, "correlation_id": {"internal": 5},
"start_timestamp": 1, "end_timestamp": 9}],
"scratch_memory": [{"start_timestamp": 1, "end_timestamp": 2}]}}]})json";
// clang-format on

struct Read {
  std::vector<RocprofRecord> records;
  RocprofNames names;
  bool full = false;
};

Read read(std::string_view text) {
  Read all;
  all.full = walk_rocprof(
      [&](std::span<char> room) {
        const size_t size = std::min({room.size(), text.size(), size_t{7}});
        std::copy_n(text.begin(), size, room.begin());
        text.remove_prefix(size);
        return size;
      },
      [&](const RocprofRecord& record) {
        all.records.push_back(record);
        return true;
      },
      all.names);
  return all;
}

TEST(Rocprof, RecordsAndWhatTheyReferTo) {
  const Read all = read(kFile);
  EXPECT_TRUE(all.full);
  ASSERT_EQ(all.records.size(), 4U);
  const RocprofRecord& kernel = all.records[0];
  EXPECT_EQ(kernel.end_ns - kernel.start_ns, 2000);
  EXPECT_EQ(kernel.correlation, 4);
  EXPECT_EQ(kernel.work_items, 2560);
  EXPECT_EQ(kernel.group_items, 128);
  EXPECT_EQ(all.names.name_of(kernel), "add()");
  EXPECT_EQ(all.records[1].bytes, 4096);
  EXPECT_EQ(all.records[2].process, 4711);
  EXPECT_EQ(all.names.name_of(all.records[2]), "hipLaunchKernel");
  EXPECT_EQ(all.names.name_of(all.records[3]), "step");
}

TEST(Rocprof, AgentsThatAreGpusAreCounted) {
  const Read all = read(kFile);
  const RocprofAgent* const gpu = all.names.agent(22);
  ASSERT_NE(gpu, nullptr);
  EXPECT_TRUE(gpu->is_gpu);
  EXPECT_EQ(gpu->number, 0);
  EXPECT_EQ(gpu->name, "AMD Instinct MI300X");
  EXPECT_EQ(gpu->compute_units, 304);
  EXPECT_FALSE(all.names.agent(11)->is_gpu);
}

TEST(Rocprof, WhatEndsInTheMiddleIsReadUpToThere) {
  const Read all = read(kFile.substr(0, kFile.find("\"hip_api\"")));
  EXPECT_FALSE(all.full);
  EXPECT_EQ(all.records.size(), 2U);
}

TEST(Rocprof, ItsFirstKeyTellsIt) {
  EXPECT_TRUE(is_rocprof(kFile.substr(0, 100)));
  EXPECT_FALSE(is_rocprof("{\"traceEvents\": []}"));
}

}  // namespace
}  // namespace batchscope::trace
