#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batchscope/base/file.hpp"
#include "testing/files/temp_folder.hpp"

namespace batchscope::base {
namespace {

// What another process says of the lock: 1 it could be had, 0 it is held, 2 an error.
int in_another_process(const std::filesystem::path& path, bool waits) {
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = FileLock::take(path, waits);
    _exit(!lock ? 2 : lock->has_value() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(FileLock, OneProcessHasItUntilItLetsGo) {
  const TempFolder folder;
  const auto path = folder / "sub/folder/one.lock";
  {
    const auto lock = FileLock::take(path, false);
    ASSERT_TRUE(lock) << to_string(lock.error());
    ASSERT_TRUE(lock->has_value());
    EXPECT_EQ(in_another_process(path, false), 0);
  }
  EXPECT_EQ(in_another_process(path, true), 1);
}

TEST(FileLock, AProcessThatEndsLetsGo) {
  const TempFolder folder;
  EXPECT_EQ(in_another_process(folder / "one.lock", true), 1);
  EXPECT_TRUE(FileLock::take(folder / "one.lock", false)->has_value());
}

TEST(FileLock, WhereNoFileCanBeIsAnError) {
  const TempFolder folder;
  std::filesystem::create_symlink(folder / "elsewhere", folder / "link.lock");
  EXPECT_FALSE(FileLock::take(folder / "link.lock", true));
  EXPECT_FALSE(std::filesystem::exists(folder / "elsewhere")) << "no link is followed";
  EXPECT_FALSE(FileLock::take("/proc/none/one.lock", true));
}

}  // namespace
}  // namespace batchscope::base
