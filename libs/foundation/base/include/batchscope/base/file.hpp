#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "batchscope/base/result.hpp"
#include "batchscope/base/unique_fd.hpp"

namespace batchscope::base {

// What is larger is no table, text or run file that somebody made.
inline constexpr int64_t kMostBytes = int64_t{512} << 20;

// The whole content of a file. Errors: input (absent, unreadable, larger than kMostBytes, a folder,
// a pipe or a device, which are never waited for).
Result<std::string> read_file(const std::filesystem::path& path);
// The same of at most so many bytes: some files of /proc have no end, or are waited for. Errors:
// also input (it is larger).
Result<std::string> read_file(const std::filesystem::path& path, int64_t most_bytes);

// Writes to a temporary file beside `path`, fsyncs and renames, so that a reader sees the old
// content or the new, never half. Creates missing parent folders; a symbolic link keeps pointing to
// the file. A character device, and a pipe that somebody reads ("/dev/stdout"), are written to
// directly; one that nobody reads is never waited for. Errors: failed, with the reason (read-only,
// disk full, a pipe without a reader, a disk or a socket).
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content);
// The same for a file that is not to be there yet, so that what another process wrote in the
// meantime is never replaced. Errors: also usage, when it exists.
Result<void> write_new_file_atomically(const std::filesystem::path& path, std::string_view content);

// A file that only grows. Each append is one line, durable when the call returns (fsync); a failed
// append is cut off again, so that the file never holds half a line. Holds a lock on the file while
// open: a second writer is refused, because two would cut off each other's lines.
class AppendFile {
 public:
  // Creates the file (and its folder); `truncate_to` >= 0 cuts an existing file to that many bytes
  // first. Errors: failed (not a regular file, shorter than `truncate_to`, open elsewhere).
  static Result<AppendFile> open(const std::filesystem::path& path, int64_t truncate_to = -1);
  // The same for a file that is not to be there yet, made in one step with looking whether it is.
  // An empty one counts as absent: nothing in it can be lost. Errors: also usage, when it exists.
  static Result<AppendFile> create(const std::filesystem::path& path);

  // Adds '\n'. Errors: failed (disk full, read-only), after which the file is as it was before.
  Result<void> append_line(std::string_view line);
  // Throws away all but the first `bytes`. Errors: failed (it is shorter, read-only).
  Result<void> cut(int64_t bytes);
  // Takes the name away, so that the file is gone when this is.
  void remove() const;
  // Of the file, when it was opened or after the last line.
  int64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  AppendFile(UniqueFd fd, std::filesystem::path path, int64_t size);

  UniqueFd fd_;
  std::filesystem::path path_;
  int64_t size_ = 0;
};

// A lock on a file of its own, among the processes that share it. It is held for as long as this
// lives; of a process that dies the kernel takes it back.
class FileLock {
 public:
  // Makes the file, and its folder, where there are none. Absent: another process holds the lock,
  // and it is not waited for. Errors: failed (the file cannot be made, or its file system has no
  // locks).
  static Result<std::optional<FileLock>> take(const std::filesystem::path& path, bool waits);

 private:
  explicit FileLock(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

}  // namespace batchscope::base
