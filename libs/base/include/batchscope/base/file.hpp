#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::base {

// The whole content of a file. Errors: input (absent, unreadable, a folder, a pipe or a device,
// which are never waited for).
Result<std::string> read_file(const std::filesystem::path& path);

// Writes to a temporary file beside `path`, fsyncs and renames, so that a reader sees the old
// content or the new, never half. Creates missing parent folders; a symbolic link keeps pointing to
// the file. A device or pipe that exists ("/dev/stdout") is written to directly. Errors: failed,
// with the reason (read-only, disk full).
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content);

// A file that only grows. Each append is one line, durable when the call returns (fsync); a failed
// append is cut off again, so that the file never holds half a line. Holds a lock on the file while
// open: a second writer is refused, because two would cut off each other's lines.
class AppendFile {
 public:
  // Creates the file (and its folder); `truncate_to` >= 0 cuts an existing file to that many bytes
  // first. Errors: failed (not a regular file, shorter than `truncate_to`, open elsewhere).
  static Result<AppendFile> open(const std::filesystem::path& path, int64_t truncate_to = -1);

  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  // Adds '\n'. Errors: failed (disk full, read-only), after which the file is as it was before.
  Result<void> append_line(std::string_view line);
  const std::filesystem::path& path() const { return path_; }

 private:
  AppendFile(int fd, std::filesystem::path path, int64_t size);

  int fd_ = -1;
  std::filesystem::path path_;
  int64_t size_ = 0;
};

}  // namespace batchscope::base
