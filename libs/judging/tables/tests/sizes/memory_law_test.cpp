#include "sizes/memory_law.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/runs/fake_run.hpp"

namespace batchscope::tables {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr int64_t kMebibyte = 1 << 20;

struct Point {
  int64_t size;
  int64_t mebibytes;
};

findings::Group table(
    const std::vector<Point>& points,
    std::optional<int64_t> schema::Memory::*peak = &schema::Memory::peak_iterations_rss_bytes) {
  findings::Group group;
  for (const Point& point : points) {
    findings::ConfigRow row;
    row.config.shape.batch_size = point.size;
    row.memory.*peak = point.mebibytes * kMebibyte;
    group.rows.push_back(row);
  }
  return group;
}

schema::Header limited_to(int64_t mebibytes) {
  schema::Header header;
  header.plan.memory_limit_bytes = mebibytes * kMebibyte;
  return header;
}

TEST(MemoryLaw, IsTheLineThroughThePeaks) {
  const auto laws = memory_laws_of(table({{1, 310}, {2, 320}, {4, 340}, {8, 380}}), {});
  ASSERT_EQ(laws.size(), 1U);
  EXPECT_EQ(laws[0].of, findings::MemoryPeak::resident);
  EXPECT_NEAR(laws[0].base_bytes / kMebibyte, 300, 1e-6);
  EXPECT_NEAR(laws[0].per_sample_bytes / kMebibyte, 10, 1e-6);
  EXPECT_NEAR(laws[0].largest_departure, 0, 1e-9);
  EXPECT_THAT(laws[0].jumps, IsEmpty());
  EXPECT_FALSE(laws[0].limit_bytes);
  EXPECT_THAT(laws[0].message, HasSubstr("300 MiB + 10.0 MiB per sample"));
}

TEST(MemoryLaw, NamesTheSizeThatJumps) {
  const auto laws = memory_laws_of(table({{1, 310}, {2, 320}, {4, 390}, {8, 380}, {16, 460}}), {});
  ASSERT_EQ(laws.at(0).jumps.size(), 1U);
  EXPECT_EQ(laws[0].jumps[0].batch_size, 4);
  EXPECT_NEAR(laws[0].jumps[0].excess_bytes / kMebibyte, 50, 1e-6);  // 340 between 2 and 8
  EXPECT_EQ(laws[0].worst_batch_size, 4);
  EXPECT_THAT(laws[0].message,
              HasSubstr("batch 4 takes 50.0 MiB more than the line through its neighbours"));
}

TEST(MemoryLaw, ChecksTheLargestSizeTooAndNotAtATenth) {
  EXPECT_EQ(memory_laws_of(table({{1, 310}, {2, 320}, {4, 440}}), {}).at(0).jumps.size(), 1U);
  EXPECT_THAT(memory_laws_of(table({{1, 310}, {2, 320}, {4, 372}}), {}).at(0).jumps, IsEmpty());
  EXPECT_THAT(memory_laws_of(table({{1, 310}, {2, 440}}), {}).at(0).jumps, IsEmpty());
}

TEST(MemoryLaw, PredictsTheLargestBatchAndSaysThatItIsPredicted) {
  const auto group = table({{1, 310}, {2, 320}, {4, 340}, {8, 380}});
  const auto law = memory_laws_of(group, limited_to(1024)).at(0);
  EXPECT_EQ(law.limit_of, "--memory-limit");
  EXPECT_EQ(law.largest_batch_size, 72);
  EXPECT_THAT(law.message, HasSubstr("after batch 72 (predicted)"));
  schema::Header machine;
  machine.machine.memory_bytes = 1300 * kMebibyte;
  EXPECT_EQ(memory_laws_of(group, machine).at(0).largest_batch_size, 100);
  EXPECT_EQ(memory_laws_of(group, limited_to(350)).at(0).largest_batch_size, std::nullopt);
  EXPECT_EQ(memory_laws_of(group, limited_to(350), 1024 * kMebibyte).at(0).largest_batch_size,
            law.largest_batch_size)
      << "a limit that is asked for goes before the plan's";
  EXPECT_EQ(memory_laws_of(group, limited_to(6000)).at(0).largest_batch_size, std::nullopt)
      << "570 is too far from 8";
}

TEST(MemoryLaw, PredictsNothingFromMemoryThatHardlyGrows) {
  const auto law = memory_laws_of(table({{1, 300}, {2, 301}, {4, 302}}), limited_to(1024)).at(0);
  EXPECT_FALSE(law.largest_batch_size);
  EXPECT_THAT(memory_laws_of(table({{1, 302}, {2, 301}}), {}).at(0).message,
              HasSubstr("at any batch size"));
}

TEST(MemoryLaw, OfADeviceIsItsAllocatorsAndChecksWhatIsReserved) {
  findings::Group group = table({{1, 110}, {2, 120}}, &schema::Memory::peak_allocated_bytes);
  group.key.device = "cuda:0";
  for (findings::ConfigRow& row : group.rows) {
    row.memory.peak_reserved_bytes = 200 * kMebibyte;
    row.memory.peak_iterations_rss_bytes = 900 * kMebibyte;
  }
  group.key.mode = schema::Mode::train;
  const auto laws = memory_laws_of(group, limited_to(1024));
  ASSERT_EQ(laws.size(), 2U);
  EXPECT_EQ(laws[0].of, findings::MemoryPeak::allocated);
  EXPECT_FALSE(laws[0].limit_bytes);  // that limit is the host's
  EXPECT_THAT(laws[0].message, HasSubstr("activations"));
  EXPECT_EQ(laws[1].of, findings::MemoryPeak::reserved);
  EXPECT_NEAR(laws[1].per_sample_bytes, 0, 1e-6);
}

// 100 MiB + 10 MiB a sample, of which a cache keeps 50 MiB more.
findings::Group on_device(const std::string& device) {
  findings::Group group =
      table({{1, 110}, {2, 120}, {4, 140}, {8, 180}}, &schema::Memory::peak_allocated_bytes);
  group.key.device = device;
  for (findings::ConfigRow& row : group.rows) {
    row.memory.peak_reserved_bytes = *row.memory.peak_allocated_bytes + 50 * kMebibyte;
  }
  return group;
}

schema::Header with_gpus(const std::vector<int64_t>& mebibytes) {
  schema::Header header;
  header.machine.memory_bytes = 500 * kMebibyte;
  for (const int64_t each : mebibytes) {
    header.machine.gpus.emplace_back("NVIDIA H200");
    header.machine.gpu_memory_bytes.push_back(each * kMebibyte);
  }
  return header;
}

TEST(MemoryLaw, OfADeviceIsHeldAgainstItsMemory) {
  const auto laws = memory_laws_of(on_device("cuda:1"), with_gpus({1024, 1024}));
  ASSERT_EQ(laws.size(), 2U);
  EXPECT_EQ(laws[0].limit_bytes, 1024 * kMebibyte);
  EXPECT_EQ(laws[0].limit_of, "the memory of cuda:1 (NVIDIA H200)");
  EXPECT_EQ(laws[0].largest_batch_size, 92);
  EXPECT_THAT(laws[0].message, HasSubstr("(the memory of cuda:1 (NVIDIA H200)) after batch 92"));
  EXPECT_FALSE(laws[1].limit_bytes) << "what a cache holds says nothing of what fits";
}

TEST(MemoryLaw, OfADeviceHasNoLimitWhereItsMemoryIsNotReported) {
  const auto limit_of = [](const char* device, const schema::Header& header) {
    return memory_laws_of(on_device(device), header).at(0).limit_bytes;
  };
  EXPECT_TRUE(limit_of("cuda:0", with_gpus({1024})));
  EXPECT_FALSE(limit_of("cuda:0", with_gpus({}))) << "an older file";
  EXPECT_FALSE(limit_of("cuda:0", with_gpus({0})));
  EXPECT_FALSE(limit_of("cuda:0", with_gpus({1024, 2048}))) << "which of them it is, is not known";
  EXPECT_FALSE(limit_of("cuda:0", with_gpus({200}))) << "230 MiB were taken: another device";
  EXPECT_FALSE(limit_of("xpu:0", with_gpus({1024}))) << "another maker's";
  EXPECT_FALSE(limit_of("", with_gpus({1024})));
}

TEST(MemoryLaw, OfADeviceIsHeldAgainstALimitThatIsAskedFor) {
  for (const char* const device : {"cuda:0", "xpu:0"}) {
    const auto law = memory_laws_of(on_device(device), with_gpus({2048}), 1024 * kMebibyte).at(0);
    EXPECT_EQ(law.limit_of, "--memory-limit") << device;
    EXPECT_EQ(law.largest_batch_size, 92) << device;
  }
}

TEST(MemoryLaw, PredictsNothingBeyondASizeThatRanOutOfMemory) {
  const auto with_failed = [](int64_t size, findings::LeftOutReason reason) {
    findings::Group group = on_device("cuda:0");
    findings::Exclusion failed{group.key, reason};
    failed.config.shape.batch_size = size;
    group.set_aside = {failed};
    return memory_laws_of(group, with_gpus({1024})).at(0).largest_batch_size;
  };
  EXPECT_EQ(with_failed(64, findings::LeftOutReason::out_of_memory), std::nullopt);
  EXPECT_EQ(with_failed(64, findings::LeftOutReason::failed), 92);
  EXPECT_EQ(with_failed(128, findings::LeftOutReason::out_of_memory), 92);
}

TEST(MemoryLaw, NeedsTwoSizesAndPeaks) {
  EXPECT_THAT(memory_laws_of(table({{1, 310}}), {}), IsEmpty());
  EXPECT_THAT(memory_laws_of(table({{1, 310}, {2, 320}}, &schema::Memory::peak_rss_bytes), {}),
              IsEmpty());  // of the whole life of the process
}

}  // namespace
}  // namespace batchscope::tables
