#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "batchscope/base/file.hpp"
#include "file_io.hpp"

namespace batchscope::base {
namespace {

Result<void> lock(int fd, const std::filesystem::path& path) {
  // Only "someone else holds it" counts: some network file systems have no locks at all.
  if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
  return Error{ErrorKind::failed, "another run writes to this file", path.string(),
               "wait for it to end, or choose another output"};
}

Result<int64_t> size_of(int fd, const std::filesystem::path& path) {
  struct stat info {};
  if (fstat(fd, &info) != 0) return write_error("cannot write the file", path);
  if (S_ISREG(info.st_mode)) return static_cast<int64_t>(info.st_size);
  return Error{ErrorKind::failed, "is not a regular file", path.string(), "name a regular file"};
}

// Between opening and locking, whoever held the file may have taken its name away: what is written
// to it then would be lost.
bool has_its_name(int fd, const std::filesystem::path& path) {
  struct stat opened {
  }, named{};
  return fstat(fd, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

Result<UniqueFd> open_locked(const std::filesystem::path& path) {
  constexpr int kAttempts = 100;
  if (auto folder = create_folder_of(path); !folder) return folder.error();
  for (int i = 0; i < kAttempts; ++i) {
    // O_NONBLOCK: opening a pipe that nobody reads fails instead of waiting.
    UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666));
    if (!fd) return write_error("cannot open the file for writing", path);
    if (auto locked = lock(fd.get(), path); !locked) return locked.error();
    if (has_its_name(fd.get(), path)) return fd;
  }
  return Error{ErrorKind::failed, "another program keeps creating and removing it", path.string(),
               "choose another output"};
}

}  // namespace

Result<AppendFile> AppendFile::open(const std::filesystem::path& path, int64_t truncate_to) {
  auto fd = open_locked(path);
  if (!fd) return std::move(fd).error();
  const auto size = size_of(fd->get(), path);
  if (!size) return size.error();
  AppendFile file(std::move(*fd), path, *size);
  if (truncate_to >= 0) {
    if (auto kept = file.cut(truncate_to); !kept) return kept.error();
  }
  sync_folder_of(path);
  return file;
}

// Whoever opens it first and finds it empty has it: the lock decides between two at once.
Result<AppendFile> AppendFile::create(const std::filesystem::path& path) {
  auto file = open(path);
  if (!file || file->size() == 0) return file;
  return Error{ErrorKind::usage, "the file exists already", path.string(), "name another file"};
}

Result<void> AppendFile::cut(int64_t bytes) {
  if (bytes > size_) {
    return Error{ErrorKind::failed, "became shorter while batchscope used it", path_.string(),
                 "use a new file"};
  }
  if (bytes == size_) return {};
  if (ftruncate(fd_.get(), bytes) != 0 || fsync(fd_.get()) != 0)
    return write_error("cannot truncate the file", path_);
  size_ = bytes;
  return {};
}

void AppendFile::remove() const {
  unlink(path_.c_str());
}

AppendFile::AppendFile(UniqueFd fd, std::filesystem::path path, int64_t size)
    : fd_(std::move(fd)), path_(std::move(path)), size_(size) {}

Result<void> AppendFile::append_line(std::string_view line) {
  std::string full(line);
  full.push_back('\n');
  if (!write_all(fd_.get(), full) || fdatasync(fd_.get()) != 0) {
    Error error = write_error("cannot write the file", path_);
    if (ftruncate(fd_.get(), size_) != 0) error.what += "; the last line may be incomplete";
    return error;
  }
  size_ += static_cast<int64_t>(full.size());
  return {};
}

}  // namespace batchscope::base
