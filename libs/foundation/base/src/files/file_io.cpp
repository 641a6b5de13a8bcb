#include "file_io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace batchscope::base {

std::string errno_text(int code) {
  return std::generic_category().message(code);
}

std::string write_fix(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return "free some space, or write to another folder";
    case EROFS:
    case EACCES:
    case EPERM:
      return "choose a folder you may write to";
    case EISDIR:
      return "give the name of a file, not of a folder";
    case ENOTDIR:
      return "part of its path is a file; choose another folder";
    case ENAMETOOLONG:
      return "choose a shorter name";
    case EFBIG:
      return "raise the limit on the size of files (ulimit -f)";
    case EPIPE:
      return "keep its reader running, or write to a file";
    case ELOOP:
      return "a symbolic link points to itself; choose another path";
    default:
      return "choose another path, or check that file system";
  }
}

Error write_error(std::string_view action, const std::filesystem::path& path) {
  const int code = errno;
  return {ErrorKind::failed, std::string(action) + ": " + errno_text(code), path.string(),
          write_fix(code)};
}

Error read_error(int code, const std::filesystem::path& path) {
  const std::string fix = code == ENOENT   ? "check the path"
                          : code == EACCES ? "check its permissions"
                                           : "";
  return {ErrorKind::input, "cannot read the file: " + errno_text(code), path.string(), fix};
}

Result<OpenFile> open_to_read(const std::filesystem::path& path) {
  // Without O_NONBLOCK a pipe that nobody writes to would hang here.
  OpenFile file{UniqueFd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), 0};
  struct stat info {};
  if (!file.fd || fstat(file.fd.get(), &info) != 0) return read_error(errno, path);
  if (S_ISDIR(info.st_mode)) {
    return Error{ErrorKind::input, "is a folder, not a file", path.string(), "name a file in it"};
  }
  if (!S_ISREG(info.st_mode)) {
    return Error{ErrorKind::input, "is a pipe or a device, not a file", path.string(),
                 "save the data to a file first"};
  }
  file.size = info.st_size;
  return file;
}

bool write_all(int fd, std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = write(fd, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    data.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

void sync_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const UniqueFd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd) fsync(fd.get());
}

Result<void> create_folder_of(const std::filesystem::path& path) {
  if (!path.has_parent_path()) return {};
  std::error_code failure;
  std::filesystem::create_directories(path.parent_path(), failure);
  std::error_code unknown;
  if (failure && !std::filesystem::is_directory(path.parent_path(), unknown)) {
    return Error{ErrorKind::failed, "cannot create the folder: " + failure.message(),
                 path.parent_path().string(), write_fix(failure.value())};
  }
  return {};
}

}  // namespace batchscope::base
