// The limiter against the kernel it runs on. Where the process may not make cgroups it is skipped.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batchscope/host/memory_limiter.hpp"

namespace batchscope::host {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

// In the child, where only async-signal-safe calls are sound: enter the group, fill memory, leave.
[[noreturn]] void fill_memory(const char* procs_file, size_t bytes) {
  const int fd = open(procs_file, O_WRONLY);
  if (fd < 0 || write(fd, "0", 1) != 1) _exit(2);
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) _exit(3);
  for (size_t at = 0; at < bytes; at += 4096) static_cast<volatile char*>(data)[at] = 1;
  _exit(0);
}

int status_of_child(const MemoryLimiter& limiter, int64_t bytes) {
  const std::string procs_file = limiter.procs_file()->string();
  const pid_t child = fork();
  if (child == 0) fill_memory(procs_file.c_str(), static_cast<size_t>(bytes));
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

class MemoryLimiterSystem : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!limiter_.procs_file()) GTEST_SKIP() << limiter_.explanation();
  }
  MemoryLimiter limiter_ = MemoryLimiter::create(base::SystemRoot(), 64 * kMiB);
};

TEST_F(MemoryLimiterSystem, KillsBeyondTheLimitAndSaysSo) {
  const int status = status_of_child(limiter_, 256 * kMiB);
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  const MemoryOutcome outcome = limiter_.outcome();
  EXPECT_TRUE(outcome.oom_killed);
  EXPECT_GE(outcome.peak_bytes.value_or(64 * kMiB), 60 * kMiB);
}

TEST_F(MemoryLimiterSystem, LeavesAloneWhatFits) {
  const int status = status_of_child(limiter_, 16 * kMiB);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const MemoryOutcome outcome = limiter_.outcome();
  EXPECT_FALSE(outcome.oom_killed);
  if (outcome.peak_bytes) {
    EXPECT_GE(*outcome.peak_bytes, 16 * kMiB);
    EXPECT_LE(*outcome.peak_bytes, 64 * kMiB);
  }
}

TEST_F(MemoryLimiterSystem, RemovesItsGroup) {
  const auto group = limiter_.procs_file()->parent_path();
  EXPECT_TRUE(std::filesystem::exists(group));
  (void)status_of_child(limiter_, kMiB);
  limiter_ = MemoryLimiter::create(base::SystemRoot("/nonexistent"), kMiB);
  EXPECT_FALSE(std::filesystem::exists(group));
}

}  // namespace
}  // namespace batchscope::host
