#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <utility>

#include "batchscope/base/file.hpp"
#include "file_io.hpp"

namespace batchscope::base {
namespace {

// False with errno EWOULDBLOCK where another process holds it.
bool locked(int fd, bool waits) {
  int result = -1;
  do {
    result = flock(fd, waits ? LOCK_EX : LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

}  // namespace

Result<std::optional<FileLock>> FileLock::take(const std::filesystem::path& path, bool waits) {
  if (auto folder = create_folder_of(path); !folder) return folder.error();
  // No link of somebody else's is followed in a folder for all.
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return write_error("cannot open the file for writing", path);
  if (locked(fd.get(), waits)) return std::optional(FileLock(std::move(fd)));
  if (errno == EWOULDBLOCK) return std::optional<FileLock>{};
  return write_error("cannot lock the file", path);
}

}  // namespace batchscope::base
