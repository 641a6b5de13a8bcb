#pragma once

#include <filesystem>
#include <optional>

#include "batchscope/base/result.hpp"

namespace batchscope::base {

// A lock on a file of its own, among the processes that share it. It is held for as long as this
// lives; of a process that dies the kernel takes it back.
class FileLock {
 public:
  // Makes the file, and its folder, where there are none. Absent: another process holds the lock,
  // and it is not waited for. Errors: failed (the file cannot be made, or its file system has no
  // locks).
  static Result<std::optional<FileLock>> take(const std::filesystem::path& path, bool waits);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}

  int fd_ = -1;
};

}  // namespace batchscope::base
