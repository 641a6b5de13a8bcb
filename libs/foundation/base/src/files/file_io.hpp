#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/base/unique_fd.hpp"

namespace batchscope::base {

// The text of an errno.
std::string errno_text(int code);
// What to do about a failed write, by errno.
std::string write_fix(int code);
// A `failed` error for `path` with the current errno.
Error write_error(std::string_view action, const std::filesystem::path& path);

// An `input` error for `path`.
Error read_error(int code, const std::filesystem::path& path);

struct OpenFile {
  UniqueFd fd;
  int64_t size = 0;  // as the system states it: 0 for files of /proc
};
// Opens a regular file. Errors: input, also for folders, pipes and devices.
Result<OpenFile> open_to_read(const std::filesystem::path& path);

// Writes all of `data` at the descriptor's position. False on error, with errno set.
bool write_all(int fd, std::string_view data);
// Makes a new name in the folder of `path` durable; best effort, some file systems cannot.
void sync_folder_of(const std::filesystem::path& path);
// Makes the folder `path` lies in.
Result<void> create_folder_of(const std::filesystem::path& path);

}  // namespace batchscope::base
