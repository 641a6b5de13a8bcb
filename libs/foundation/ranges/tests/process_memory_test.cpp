#include "process_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "batchscope/ranges/profiler.hpp"

namespace batchscope::ranges {
namespace {

namespace fs = std::filesystem;

// A /proc/self of our own. Of the kernel it has the file to write to, but not what writing does.
class RecordedMemory : public testing::Test {
 protected:
  void SetUp() override {
    root_ =
        fs::path(testing::TempDir()) /
        ("memory_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(root_ / "proc/self");
  }
  void TearDown() override { fs::remove_all(root_); }

  void set(int now_kib, int peak_kib) const {
    std::ofstream(root_ / "proc/self/status")
        << "Name:\tx\nVmHWM:\t  " << peak_kib << " kB\nVmRSS:\t " << now_kib << " kB\n";
  }
  void let_resets_work() const { std::ofstream(root_ / "proc/self/clear_refs") << ""; }
  bool was_reset() const { return fs::file_size(root_ / "proc/self/clear_refs") > 0; }

  fs::path root_;
};

constexpr int64_t kKib = 1024;

TEST_F(RecordedMemory, APeakCountsForAllSpansThatAreOpen) {
  let_resets_work();
  ProcessMemory memory{base::SystemRoot(root_)};
  set(100, 900);  // an older peak, which is none of ours
  const auto outer = memory.begin();
  EXPECT_TRUE(was_reset());
  set(120, 300);  // while only the outer one was open
  const auto inner = memory.begin();
  set(130, 200);
  EXPECT_EQ(memory.end(inner), (MemoryUse{120 * kKib, 130 * kKib, 200 * kKib}));
  set(110, 200);
  EXPECT_EQ(memory.end(outer), (MemoryUse{100 * kKib, 110 * kKib, 300 * kKib}));
}

TEST_F(RecordedMemory, SpansMayOverlapInAnyWay) {
  let_resets_work();
  ProcessMemory memory{base::SystemRoot(root_)};
  set(100, 100);
  const auto first = memory.begin();
  set(100, 150);
  const auto second = memory.begin();
  set(100, 500);
  EXPECT_EQ(memory.end(first).peak_bytes, 500 * kKib);
  set(100, 600);
  EXPECT_EQ(memory.end(second).peak_bytes, 600 * kKib);
}

TEST_F(RecordedMemory, WithoutAResetOnlyANewPeakIsKnown) {
  ProcessMemory memory{base::SystemRoot(root_)};  // nothing to write to
  set(100, 900);
  const auto hidden = memory.begin();
  set(300, 900);
  EXPECT_EQ(memory.end(hidden), (MemoryUse{100 * kKib, 300 * kKib, std::nullopt}));
  const auto higher = memory.begin();
  set(300, 950);
  EXPECT_EQ(memory.end(higher).peak_bytes, 950 * kKib);
}

TEST_F(RecordedMemory, AbsentWhereTheSystemDoesNotSay) {
  ProcessMemory memory{base::SystemRoot(root_)};
  EXPECT_EQ(memory.end(memory.begin()), MemoryUse{});
}

TEST(ProcessMemory, OfThisProcess) {
  Profiler profiler({.memory = true});
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  {
    const Range outer = profiler.range("outer");
    const Range inner = profiler.range("allocates");
    const std::unique_ptr<char[]> block(new char[kBytes]);
    std::memset(block.get(), 1, kBytes);
    EXPECT_EQ(block[kBytes / 2], 1);
  }
  for (const RangeRecord& range : profiler.recording().ranges) {
    ASSERT_TRUE(range.memory);
    ASSERT_TRUE(range.memory->before_bytes && range.memory->after_bytes);
    if (!range.memory->peak_bytes) GTEST_SKIP() << "no peak to be had here";
    // Sanitizers return memory late, so that only the peak is sure.
    EXPECT_GE(*range.memory->peak_bytes, static_cast<int64_t>(kBytes));
  }
}

}  // namespace
}  // namespace batchscope::ranges
