#include <gmock/gmock.h>

#include <filesystem>
#include <map>

#include "batchscope/trace/reader.hpp"

namespace batchscope::trace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// What of a device there is of one kind: how many and how long together.
struct Sum {
  int64_t count = 0;
  int64_t ns = 0;
};

// A recording of a second of a job on two H100, by Nsight Systems 2026.2; it is not part of the
// sources. What stands here was asked of the file with SQL.
TEST(SharedExport, OfTwoH100IsWhatItsTablesHold) {
  const std::filesystem::path file = SHARED_TRACES "/nsysai_h100_2gpu_1s.sqlite";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "is not installed" << file;
  const auto trace = TraceReader().read(file);
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->read.profiler, "Nsight Systems 2026.2.1.210");
  EXPECT_FALSE(trace->read.truncated);
  EXPECT_THAT(trace->read.problems, IsEmpty());
  EXPECT_EQ(trace->read.skipped, 0);
  EXPECT_THAT(trace->activities.start_ns, SizeIs(27'388));

  std::map<ActivityKind, Sum> sums;
  std::map<int64_t, int64_t> kernels_of_device;
  std::map<int64_t, int64_t> processes_of_device;
  Sum pinned;
  int64_t pinned_bytes = 0;
  for (size_t row = 0; row < trace->activities.size(); ++row) {
    Sum& sum = sums[trace->activities.kind[row]];
    ++sum.count;
    sum.ns += trace->activities.duration_ns[row];
    const Track& track = trace->track_of(row);
    if (trace->activities.kind[row] == ActivityKind::kernel) {
      ++kernels_of_device[track.device];
      processes_of_device[track.device] = track.process;
    }
    const CopyFacts* const copy = trace->copy_of(row);
    if (copy == nullptr || copy->direction != CopyDirection::to_device ||
        copy->host_memory != HostMemory::pinned) {
      continue;
    }
    ++pinned.count;
    pinned.ns += trace->activities.duration_ns[row];
    pinned_bytes += copy->bytes;
  }
  EXPECT_EQ(sums[ActivityKind::kernel].count, 3442);
  EXPECT_EQ(sums[ActivityKind::kernel].ns, 44'829'522);
  EXPECT_THAT(kernels_of_device, ElementsAre(std::pair(0, 1721), std::pair(1, 1721)));
  EXPECT_THAT(processes_of_device, ElementsAre(std::pair(0, 111), std::pair(1, 112)));
  EXPECT_EQ(pinned.count, 446);
  EXPECT_EQ(pinned.ns, 1'841'627'438);
  EXPECT_EQ(pinned_bytes, 50'950'504'448);
  EXPECT_EQ(sums[ActivityKind::memcpy].count, 904);
  EXPECT_EQ(sums[ActivityKind::memset].count, 22);
  EXPECT_EQ(sums[ActivityKind::device_wait].count, 244);
  EXPECT_EQ(sums[ActivityKind::runtime].count, 5796);
  EXPECT_EQ(sums[ActivityKind::op].count + sums[ActivityKind::range].count, 16'782);
  // The driver's queue was full, which is no overhead of the recorder.
  EXPECT_EQ(sums[ActivityKind::wait].count, 198);
  EXPECT_EQ(sums[ActivityKind::overhead].count, 0);
}

}  // namespace
}  // namespace batchscope::trace
