#include "batchscope/host/usage.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::host {
namespace {

constexpr size_t kPage = 4096;

// Pages of its own, so that no allocator decides whether they fault; small ones, so that each does.
class Pages {
 public:
  explicit Pages(size_t bytes) : bytes_(bytes) {
    data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (valid()) madvise(data_, bytes, MADV_NOHUGEPAGE);
  }
  ~Pages() {
    if (valid()) munmap(data_, bytes_);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  bool valid() const { return data_ != MAP_FAILED; }
  void touch() {
    for (size_t at = 0; at < bytes_; at += kPage) static_cast<volatile char*>(data_)[at] = 1;
  }

 private:
  size_t bytes_;
  void* data_;
};

TEST(Usage, DifferencesOfEveryCount) {
  const UsageCounts before{1, 2, 3, 4, 5, 6, 7};
  const UsageCounts after{11, 22, 33, 44, 55, 66, 77};
  const schema::Usage usage = usage_between(before, after);
  EXPECT_EQ(usage.user_ns, 10);
  EXPECT_EQ(usage.system_ns, 20);
  EXPECT_EQ(usage.minor_faults, 30);
  EXPECT_EQ(usage.major_faults, 40);
  EXPECT_EQ(usage.voluntary_switches, 50);
  EXPECT_EQ(usage.involuntary_switches, 60);
  EXPECT_EQ(after.cpu_ns(), 33);
}

TEST(Usage, EveryNewPageFaults) {
  Pages pages(512 * kPage);
  ASSERT_TRUE(pages.valid());
  const UsageCounts before = read_own_usage();
  pages.touch();
  EXPECT_GE(usage_between(before, read_own_usage()).minor_faults, 512);
}

TEST(Usage, PeakFollowsAResetAndAnAllocation) {
  const base::SystemRoot root;
  if (!reset_peak_rss(root)) GTEST_SKIP() << "/proc/self/clear_refs cannot be written here";
  constexpr int64_t kBytes = int64_t{64} << 20;
  const auto low = read_peak_rss_bytes(root);
  {
    Pages pages(kBytes);
    ASSERT_TRUE(pages.valid());
    pages.touch();
  }
  const auto high = read_peak_rss_bytes(root);
  ASSERT_TRUE(low && high);
  EXPECT_GE(*high, *low + kBytes / 2);
  ASSERT_TRUE(reset_peak_rss(root));
  EXPECT_LT(*read_peak_rss_bytes(root), *high - kBytes / 2);
}

TEST(Usage, AbsentWhereTheSystemDoesNotSay) {
  const FixtureRoot empty;
  EXPECT_EQ(read_peak_rss_bytes(empty.root()), std::nullopt);
  EXPECT_FALSE(reset_peak_rss(empty.root()));
}

TEST(Usage, StatusIsInKibibytes) {
  FixtureRoot fixture;
  fixture.write("/proc/self/status", "Name:\tx\nVmHWM:\t    1756 kB\nVmRSS:\t     1700 kB\n");
  EXPECT_EQ(read_peak_rss_bytes(fixture.root()), 1756 * 1024);
}

}  // namespace
}  // namespace batchscope::host
