#include "batchscope/base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "file_io.hpp"

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

// Opening a pipe that nobody reads would wait for ever, so it is opened without waiting; written to
// it is as usual.
Result<UniqueFd> open_pipe(const std::filesystem::path& path) {
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd && fcntl(fd.get(), F_SETFL, 0) == 0) return fd;
  if (errno != ENXIO) return write_error("cannot write the file", path);
  return Error{ErrorKind::failed, "is a pipe without a reader", path.string(),
               "start its reader first, or write to a file"};
}

// What is there and is no regular file.
Result<void> write_through(const std::filesystem::path& path, mode_t mode,
                           std::string_view content) {
  if (!S_ISCHR(mode) && !S_ISFIFO(mode) && !S_ISDIR(mode)) {
    return Error{ErrorKind::failed, S_ISBLK(mode) ? "is a disk, not a file" : "is not a file",
                 path.string(), "name a regular file"};
  }
  auto fd = S_ISFIFO(mode) ? open_pipe(path)
                           : Result<UniqueFd>(UniqueFd(open(path.c_str(), O_WRONLY | O_CLOEXEC)));
  if (!fd) return std::move(fd).error();
  if (!*fd || !write_all(fd->get(), content)) return write_error("cannot write the file", path);
  return {};
}

// Gives the finished file its name, in one step.
bool put_in_place(const std::filesystem::path& temporary, const std::filesystem::path& path,
                  bool replaces) {
  if (replaces) return std::rename(temporary.c_str(), path.c_str()) == 0;
  if (link(temporary.c_str(), path.c_str()) == 0) return unlink(temporary.c_str()) == 0;
  // Some file systems have no links.
  if (errno == EEXIST) return false;
  return renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0;
}

Result<void> write_beside(const std::filesystem::path& path, std::string_view content,
                          bool replaces) {
  std::filesystem::path temporary;
  UniqueFd fd = create_beside(path, temporary);
  if (!fd) return write_error("cannot write the file", path);
  struct stat old {};
  if (stat(path.c_str(), &old) == 0) (void)!fchmod(fd.get(), old.st_mode & 07777U);
  if (!write_all(fd.get(), content) || fsync(fd.get()) != 0 || close(fd.release()) != 0 ||
      !put_in_place(temporary, path, replaces)) {
    const bool exists = !replaces && errno == EEXIST;
    Error error = write_error("cannot write the file", path);
    unlink(temporary.c_str());
    if (!exists) return error;
    return Error{ErrorKind::usage, "the file exists already", path.string(), "name another file"};
  }
  sync_folder_of(path);
  return {};
}

Error too_large(const std::filesystem::path& path, int64_t most_bytes) {
  return {ErrorKind::input, fmt::format("is larger than {} bytes", most_bytes), path.string(), ""};
}

// Neither a device nor a link to somewhere.
bool is_file_or_absent(const std::filesystem::path& path) {
  struct stat info {};
  return lstat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode);
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path) {
  return read_file(path, kMostBytes);
}

Result<std::string> read_file(const std::filesystem::path& path, int64_t most_bytes) {
  auto file = open_to_read(path);
  if (!file) return file.error();
  const int fd = file->fd.get();
  std::string text;
  size_t used = 0;
  if (file->size > most_bytes) return too_large(path, most_bytes);
  text.resize(static_cast<size_t>(file->size) + 1);  // /proc says 0, and files may grow
  while (true) {
    if (used == text.size()) text.resize(text.size() * 2 + 4096);
    const ssize_t count = read(fd, text.data() + used, text.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return read_error(errno, path);
    if (count == 0) break;
    used += static_cast<size_t>(count);
    if (static_cast<int64_t>(used) > most_bytes) return too_large(path, most_bytes);
  }
  text.resize(used);
  return text;
}

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  if (auto folder = create_folder_of(path); !folder) return folder;
  struct stat info {};
  // Replacing a device would take it from the system. "/dev/stdout" is a link to what may have no
  // path of its own.
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return write_through(path, info.st_mode, content);
  }
  std::error_code failure;
  const auto target = std::filesystem::is_symlink(path, failure)
                          ? std::filesystem::weakly_canonical(path, failure)
                          : path;
  if (failure && failure != std::errc::no_such_file_or_directory) {
    return Error{ErrorKind::failed, "cannot write the file: " + failure.message(), path.string(),
                 write_fix(failure.value())};
  }
  return write_beside(target, content, /*replaces=*/true);
}

Result<void> write_new_file_atomically(const std::filesystem::path& path,
                                       std::string_view content) {
  if (!is_file_or_absent(path)) return write_file_atomically(path, content);
  if (auto folder = create_folder_of(path); !folder) return folder;
  return write_beside(path, content, /*replaces=*/false);
}

}  // namespace batchscope::base
