#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "batchscope/base/file.hpp"
#include "file_io.hpp"
#include "unique_fd.hpp"

namespace batchscope::base {
namespace {

Result<void> lock(int fd, const std::filesystem::path& path) {
  // Only "someone else holds it" counts: some network file systems have no locks at all.
  if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
  return Error{ErrorKind::failed, "another run is writing this file", path.string(),
               "wait for it to end, or choose another output"};
}

Result<int64_t> prepare_size(int fd, const std::filesystem::path& path, int64_t truncate_to) {
  struct stat info {};
  if (fstat(fd, &info) != 0) return write_error("cannot be written", path);
  if (!S_ISREG(info.st_mode)) {
    return Error{ErrorKind::failed, "is not a regular file", path.string(),
                 "choose the path of an ordinary file"};
  }
  if (truncate_to < 0) return static_cast<int64_t>(info.st_size);
  if (truncate_to > info.st_size) {
    return Error{ErrorKind::failed, "became shorter since it was read", path.string(), ""};
  }
  if (ftruncate(fd, truncate_to) != 0 || fsync(fd) != 0) {
    return write_error("cannot be cut", path);
  }
  return truncate_to;
}

}  // namespace

Result<AppendFile> AppendFile::open(const std::filesystem::path& path, int64_t truncate_to) {
  if (auto folder = create_folder_of(path); !folder) return folder.error();
  // O_NONBLOCK: opening a pipe that nobody reads fails instead of waiting.
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666));
  if (!fd) return write_error("cannot be opened for writing", path);
  if (auto locked = lock(fd.get(), path); !locked) return locked.error();
  const auto size = prepare_size(fd.get(), path, truncate_to);
  if (!size) return size.error();
  sync_folder_of(path);
  return AppendFile(fd.release(), path, *size);
}

AppendFile::AppendFile(int fd, std::filesystem::path path, int64_t size)
    : fd_(fd), path_(std::move(path)), size_(size) {}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)), size_(other.size_) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) close(fd_);
    fd_ = std::exchange(other.fd_, -1);
    path_ = std::move(other.path_);
    size_ = other.size_;
  }
  return *this;
}

AppendFile::~AppendFile() {
  if (fd_ >= 0) close(fd_);
}

Result<void> AppendFile::append_line(std::string_view line) {
  std::string whole(line);
  whole.push_back('\n');
  if (!write_all(fd_, whole) || fdatasync(fd_) != 0) {
    Error error = write_error("cannot be written", path_);
    if (ftruncate(fd_, size_) != 0) error.what += "; the last line may be torn";
    return error;
  }
  size_ += static_cast<int64_t>(whole.size());
  return {};
}

}  // namespace batchscope::base
