#include "batchscope/base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "file_io.hpp"
#include "unique_fd.hpp"

namespace batchscope::base {
namespace {

// A temporary file beside `path`, with the permissions an ordinary new file would get.
UniqueFd create_beside(const std::filesystem::path& path, std::filesystem::path& temporary) {
  for (int i = 0; i < 100; ++i) {
    temporary =
        path.parent_path() / fmt::format(".{}.{}-{}", path.filename().string(), getpid(), i);
    UniqueFd fd(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (fd || errno != EEXIST) return fd;
  }
  return UniqueFd();
}

Result<void> write_through(const std::filesystem::path& path, std::string_view content) {
  const UniqueFd fd(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd || !write_all(fd.get(), content)) return write_error("cannot be written", path);
  return {};
}

Result<void> replace(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::path temporary;
  UniqueFd fd = create_beside(path, temporary);
  if (!fd) return write_error("cannot be written", path);
  struct stat old {};
  if (stat(path.c_str(), &old) == 0) (void)!fchmod(fd.get(), old.st_mode & 07777U);
  if (!write_all(fd.get(), content) || fsync(fd.get()) != 0 || close(fd.release()) != 0 ||
      std::rename(temporary.c_str(), path.c_str()) != 0) {
    Error error = write_error("cannot be written", path);
    unlink(temporary.c_str());
    return error;
  }
  sync_folder_of(path);
  return {};
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path) {
  auto file = open_to_read(path);
  if (!file) return file.error();
  const int fd = file->fd.get();
  std::string text;
  size_t used = 0;
  text.resize(static_cast<size_t>(file->size) + 1);  // /proc says 0, and files may grow
  while (true) {
    if (used == text.size()) text.resize(text.size() * 2 + 4096);
    const ssize_t count = read(fd, text.data() + used, text.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return read_error(errno, path);
    if (count == 0) break;
    used += static_cast<size_t>(count);
  }
  text.resize(used);
  return text;
}

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  if (auto folder = create_folder_of(path); !folder) return folder;
  std::error_code failure;
  const auto target = std::filesystem::is_symlink(path, failure)
                          ? std::filesystem::weakly_canonical(path, failure)
                          : path;
  if (failure && failure != std::errc::no_such_file_or_directory) {
    return Error{ErrorKind::failed, "cannot be written: " + failure.message(), path.string(),
                 write_fix(failure.value())};
  }
  struct stat info {};
  if (stat(target.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return write_through(target, content);  // replacing a device would take it from the system
  }
  return replace(target, content);
}

}  // namespace batchscope::base
