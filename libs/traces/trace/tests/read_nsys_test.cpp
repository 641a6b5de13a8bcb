#include <gmock/gmock.h>

#include "nsys_export.hpp"

namespace batchscope::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

std::string with(std::initializer_list<const char*> parts) {
  std::string sql = kStrings;
  for (const char* const part : parts) sql += part;
  return sql;
}

TEST(ReadNsys, AKernelIsOnItsStreamAndHasTheFactsOfItsLaunch) {
  const Trace trace = Export(with({kKernelTable, kOneKernel})).read();
  ASSERT_EQ(trace.activities.size(), 1u);
  const Activity kernel = trace.activities.row(0);
  EXPECT_EQ(kernel.start_ns, 100);
  EXPECT_EQ(kernel.duration_ns, 100);
  EXPECT_EQ(kernel.correlation, 11);
  EXPECT_EQ(kernel.kind, ActivityKind::kernel);
  EXPECT_EQ(trace.name_of(0), "void gemm<float>(float*)");
  const Track& track = trace.track_of(0);
  EXPECT_EQ(track.process, 1);
  EXPECT_EQ(track.device, 0);
  EXPECT_EQ(track.stream, 7);
  const LaunchFacts* const launch = trace.launch_of(0);
  ASSERT_NE(launch, nullptr);
  EXPECT_EQ(launch->grid_blocks, 60);
  EXPECT_EQ(launch->threads_per_block, 128);
  EXPECT_EQ(launch->registers_per_thread, 32);
  EXPECT_EQ(launch->multiprocessors, 0);
  EXPECT_LT(launch->occupancy, 0);
  EXPECT_EQ(trace.read.events, 1);
  EXPECT_FALSE(trace.read.truncated);
  EXPECT_THAT(trace.read.problems, IsEmpty());
  EXPECT_THAT(trace.devices, IsEmpty());
}

TEST(ReadNsys, ACallHasItsThreadAndNoVersionInItsName) {
  const Trace trace =
      Export(with({kRuntimeTable,
                   "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (50, 90, 0, 16777218, 11, 3),"
                   "  (10, 30, 1, 16777218, NULL, 4), (40, 45, 0, 16777218, 0, 3);"}))
          .read();
  ASSERT_EQ(trace.activities.size(), 3u);
  EXPECT_THAT(trace.activities.start_ns, ElementsAre(10, 40, 50));
  EXPECT_THAT(trace.activities.correlation, ElementsAre(-1, -1, 11));
  EXPECT_EQ(trace.name_of(0), "cuMemAlloc_v2");
  EXPECT_EQ(trace.name_of(2), "cudaLaunchKernel");
  EXPECT_EQ(trace.track_of(0).process, 1);
  EXPECT_EQ(trace.track_of(0).thread, 2);
  EXPECT_FALSE(trace.track_of(0).on_device());
}

constexpr const char* kThreeCopies =
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (10, 20, 0, 7, 1, 16777216, 64, 1, 1, 2),"
    "  (30, 40, 0, 7, 2, 16777216, 32, 2, 2, 0), (50, 60, 0, 7, 3, 16777216, 16, 8, 2, 2);";

TEST(ReadNsys, NumbersOfCopiesMeanWhatIsDocumentedWhereTheExportDoesNotSay) {
  const Trace trace = Export(with({kMemcpyTable, kThreeCopies})).read();
  ASSERT_EQ(trace.activities.size(), 3u);
  EXPECT_EQ(trace.name_of(0), "Memcpy HtoD (Pinned -> Device)");
  EXPECT_EQ(*trace.copy_of(0), (CopyFacts{64, CopyDirection::to_device, HostMemory::pinned}));
  EXPECT_EQ(trace.name_of(1), "Memcpy DtoH (Device -> Pageable)");
  EXPECT_EQ(*trace.copy_of(1), (CopyFacts{32, CopyDirection::to_host, HostMemory::pageable}));
  EXPECT_EQ(trace.name_of(2), "Memcpy DtoD (Device -> Device)");
  EXPECT_EQ(*trace.copy_of(2), (CopyFacts{16, CopyDirection::on_device, HostMemory::none}));
}

TEST(ReadNsys, NumbersOfCopiesMeanWhatTheExportSays) {
  const Trace trace =
      Export(with({kMemcpyTable, kThreeCopies,
                   "CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER PRIMARY KEY, name TEXT);"
                   "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (1, 'CUDA_MEMCPY_KIND_DTOH'),"
                   "  (2, 'CUDA_MEMCPY_KIND_UVM_HTOD'), (8, 'CUDA_MEMCPY_KIND_PTOP');"
                   "CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER PRIMARY KEY, name TEXT);"
                   "INSERT INTO ENUM_CUDA_MEM_KIND VALUES"
                   "  (2, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE'),"
                   "  (1, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC');"}))
          .read();
  ASSERT_EQ(trace.activities.size(), 3u);
  EXPECT_EQ(trace.name_of(0), "Memcpy DtoH (Device -> Pageable)");
  EXPECT_EQ(trace.copy_of(0)->host_memory, HostMemory::pageable);
  EXPECT_EQ(trace.name_of(1), "Memcpy HtoD (Pageable -> Unknown)");
  EXPECT_EQ(trace.copy_of(1)->host_memory, HostMemory::pageable);
  EXPECT_EQ(trace.copy_of(2)->direction, CopyDirection::between_devices);
}

TEST(ReadNsys, FullGraphsMemsetsAndWaitsAreOnTheirStreams) {
  const Trace trace =
      Export(with({"CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, streamId,"
                   "  correlationId, globalPid, graphId);"
                   "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES"
                   "  (10, 20, 0, 7, 1, 16777216, 12);"
                   "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, streamId,"
                   "  correlationId, globalPid, bytes, memKind);"
                   "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES"
                   "  (30, 40, 0, 7, 2, 16777216, 512, 2);"
                   "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, end, deviceId,"
                   "  streamId, correlationId, globalPid, syncType);"
                   "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES"
                   "  (50, 60, 0, 7, 3, 16777216, 2), (70, 80, 0, 4294967295, 4, 16777216, 4);"}))
          .read();
  ASSERT_EQ(trace.activities.size(), 4u);
  EXPECT_THAT(trace.activities.kind, ElementsAre(ActivityKind::device_wait, ActivityKind::kernel,
                                                 ActivityKind::memset, ActivityKind::device_wait));
  EXPECT_EQ(trace.name_of(0), "Context Sync");
  EXPECT_EQ(trace.track_of(0).stream, -1);
  EXPECT_EQ(trace.name_of(1), "CUDA graph 12");
  EXPECT_EQ(trace.launch_of(1), nullptr);
  EXPECT_EQ(trace.name_of(2), "Memset (Device)");
  EXPECT_EQ(trace.copy_of(2)->bytes, 512);
  EXPECT_EQ(trace.name_of(3), "Stream Wait Event");
}

TEST(ReadNsys, RangesAreReadWithTextOrItsNumberAndThoseOfTorchAreOperators) {
  const Trace trace =
      Export(
          with({kNvtxTable,
                "INSERT INTO NVTX_EVENTS VALUES (10, 90, 59, NULL, 16777218, 7),"
                "  (20, 30, 60, 'my::load', 16777218, NULL),"
                "  (40, 50, 59, 'aten::mm, seq = 4, op_id = 9, sizes = [[2, 3]]', 16777218, NULL),"
                "  (52, 54, 59, 'aten::mm, op_id = 10', 16777218, NULL),"
                "  (60, 70, 59, 'FSDP::forward (layer 1), op_id = 11', 16777218, NULL),"
                "  (75, NULL, 59, 'never ended', 16777218, NULL),"
                "  (80, 80, 34, 'a mark', 16777218, NULL);"}))
          .read();
  ASSERT_EQ(trace.activities.size(), 5u);
  EXPECT_THAT(trace.activities.kind,
              ElementsAre(ActivityKind::range, ActivityKind::range, ActivityKind::op,
                          ActivityKind::op, ActivityKind::range));
  EXPECT_THAT(trace.names, testing::UnorderedElementsAre("step", "my::load", "aten::mm",
                                                         "FSDP::forward (layer 1)"));
  EXPECT_EQ(trace.read.passed_over, 1);
  EXPECT_EQ(trace.read.skipped, 1);
  EXPECT_THAT(trace.read.problems, ElementsAre(Pair("a range without an end", 1)));
}

TEST(ReadNsys, KindsOfNvtxEventsAreThoseThatTheExportNames) {
  const Trace trace =
      Export(with({kNvtxTable,
                   "INSERT INTO NVTX_EVENTS VALUES (10, 20, 3, 'here', 16777218, NULL),"
                   "  (30, 40, 59, 'a mark now', 16777218, NULL);"
                   "CREATE TABLE ENUM_NSYS_EVENT_TYPE (id INTEGER, name TEXT);"
                   "INSERT INTO ENUM_NSYS_EVENT_TYPE VALUES (3, 'NvtxPushPopRange'),"
                   "  (59, 'NvtxMark');"}))
          .read();
  ASSERT_EQ(trace.activities.size(), 1u);
  EXPECT_EQ(trace.name_of(0), "here");
}

TEST(ReadNsys, LongSystemCallsAreWaitsAndShortOnesArePassedOver) {
  const Trace trace = Export(with({"CREATE TABLE OSRT_API (start, end, globalTid, nameId);"
                                   "INSERT INTO OSRT_API VALUES (0, 9999, 16777218, 5),"
                                   "  (20000, 30000, 16777218, 5);"}))
                          .read();
  ASSERT_EQ(trace.activities.size(), 1u);
  EXPECT_EQ(trace.activities.kind[0], ActivityKind::wait);
  EXPECT_EQ(trace.name_of(0), "poll");
  EXPECT_EQ(trace.read.passed_over, 1);
}

TEST(ReadNsys, OverheadIsOnlyWhatTheRecorderItselfTook) {
  const Trace trace =
      Export(with({"CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (start, end, globalTid, nameId,"
                   "  overheadType);"
                   "INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES (10, 20, 16777218, 9, 8),"
                   "  (30, 40, 16777218, 9, 3), (50, 60, 16777218, 9, 7);"
                   "CREATE TABLE CUBLAS_EVENTS (start, end, globalTid, nameId);"
                   "INSERT INTO CUBLAS_EVENTS VALUES (70, 80, 16777218, 8);"}))
          .read();
  EXPECT_THAT(trace.activities.kind, ElementsAre(ActivityKind::wait, ActivityKind::overhead,
                                                 ActivityKind::runtime, ActivityKind::range));
  EXPECT_EQ(trace.name_of(3), "cublasSgemm_v2");
}

constexpr const char* kTwoGpus =
    "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, totalMemory INTEGER, smCount INTEGER,"
    "  computeMajor INTEGER, computeMinor INTEGER, maxWarpsPerSm INTEGER, maxBlocksPerSm INTEGER,"
    "  maxRegistersPerSm INTEGER, maxShmemPerSm INTEGER);"
    "INSERT INTO TARGET_INFO_GPU VALUES"
    "  (0, 'Small', 1024, 40, 7, 5, 32, 16, 65536, 65536),"
    "  (1, 'NVIDIA H100', 85899345920, 132, 9, 0, 64, 32, 65536, 233472);";

TEST(ReadNsys, DevicesAreDescribedAndSayHowMuchALaunchFills) {
  const Trace trace = Export(with({kKernelTable, kOneKernel, kTwoGpus})).read();
  ASSERT_EQ(trace.devices.size(), 2u);
  const DeviceInfo* const device = trace.device_info(1);
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->name, "NVIDIA H100");
  EXPECT_EQ(device->memory_bytes, 85'899'345'920);
  EXPECT_EQ(device->compute_major, 9);
  EXPECT_EQ(device->multiprocessors, 132);
  const LaunchFacts& launch = *trace.launch_of(0);  // on device 0
  EXPECT_EQ(launch.multiprocessors, 40);
  EXPECT_EQ(launch.blocks_per_multiprocessor, 8);
  EXPECT_FLOAT_EQ(launch.occupancy, 60.0F / 40 * 128 / 1024);
}

// Ranks of a job that may see one GPU each have it as their device 0.
TEST(ReadNsys, DevicesOfProcessesThatSeeOthersAreDistinguished) {
  const Trace trace =
      Export(with({kKernelTable, kOneKernel, kTwoGpus,
                   "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId,"
                   "  globalPid) VALUES (100, 200, 0, 7, 33554432);"
                   "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER,"
                   "  pid INTEGER);"
                   "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1, 0, 1), (0, 0, 2);"}))
          .read();
  ASSERT_EQ(trace.tracks.size(), 2u);
  EXPECT_EQ(trace.tracks[0].process, 1);
  EXPECT_EQ(trace.tracks[0].device, 1);
  EXPECT_EQ(trace.tracks[1].process, 2);
  EXPECT_EQ(trace.tracks[1].device, 0);
  EXPECT_EQ(trace.launch_of(0)->multiprocessors, 132);
}

TEST(ReadNsys, ThreadsRecorderAndClockAreNamed) {
  const Trace trace =
      Export(
          with({kRuntimeTable,
                "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (50, 90, 0, 16777218, 11, 3);"
                "CREATE TABLE ThreadNames (nameId INTEGER, priority INTEGER, globalTid INTEGER);"
                "INSERT INTO ThreadNames VALUES (6, 20, 16777218), (6, 20, 16777219);"
                "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);"
                "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_USER', 'somebody'),"
                "  ('EXPORT_PRODUCT_VERSION', '2024.6.1.90');"
                "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER,"
                "  systemClockNs INTEGER);"
                "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000, 5000);"}))
          .read();
  EXPECT_EQ(trace.read.profiler, "Nsight Systems 2024.6.1.90");
  EXPECT_EQ(trace.base_time_ns, 1'699'999'999'999'995'000);
  EXPECT_EQ(trace.track_of(0).name, "main");
  EXPECT_THAT(trace.names, ElementsAre("cudaLaunchKernel"));
}

TEST(ReadNsys, IsTheSameOnAnyNumberOfThreads) {
  std::string rows = with({kKernelTable, kRuntimeTable, kNvtxTable, "BEGIN;"});
  for (int i = 1; i < 300; ++i) {
    const std::string at = std::to_string(i * 100);
    rows +=
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, shortName) "
        "VALUES (" +
        at + ", " + at + " + 50, " + std::to_string(i % 3) +
        ", 7, 2);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" +
        at + ", " + at + " + 9, 0, " + std::to_string(16777216 + i % 5) +
        ", 1, 3);"
        "INSERT INTO NVTX_EVENTS VALUES (" +
        at + ", " + at + " + 70, 59, 'r" + std::to_string(i % 7) + "', 16777218, NULL);";
  }
  const Export file(rows + "COMMIT;");
  const Trace one = file.read({.threads = 1});
  const Trace five = file.read({.threads = 5});
  EXPECT_EQ(one.activities.size(), 897u);
  EXPECT_EQ(one.activities.start_ns, five.activities.start_ns);
  EXPECT_EQ(one.activities.track, five.activities.track);
  EXPECT_EQ(one.activities.name, five.activities.name);
  EXPECT_EQ(one.names, five.names);
  const Trace just_enough = file.read({.threads = 1, .most_activities = 897});
  EXPECT_EQ(just_enough.activities.size(), 897u);
  EXPECT_FALSE(just_enough.read.truncated);
}

TEST(ReadNsys, StopsAtSoManyActivitiesAndSaysSo) {
  const Export file(with({kRuntimeTable,
                          "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES"
                          "  (10, 20, 0, 16777218, 1, 3), (30, 40, 0, 16777218, 2, 3),"
                          "  (50, 60, 0, 16777218, 3, 3);"}));
  const Trace full = file.read({.most_activities = 3});
  EXPECT_EQ(full.activities.size(), 3u);
  EXPECT_FALSE(full.read.truncated);
  const Trace part = file.read({.most_activities = 2});
  EXPECT_EQ(part.activities.size(), 2u);
  EXPECT_TRUE(part.read.truncated);
  EXPECT_THAT(part.read.problems, ElementsAre(Pair(HasSubstr("more events"), 1)));
}

}  // namespace
}  // namespace batchscope::trace
