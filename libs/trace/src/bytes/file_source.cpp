#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "byte_source.hpp"

namespace batchscope::trace {
namespace {

class FileSource : public ByteSource {
 public:
  FileSource(int fd, bool owned) : fd_(fd), owned_(owned) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override {
    if (owned_) ::close(fd_);
  }

  size_t read(std::span<char> into) override {
    for (;;) {
      const ssize_t got = ::read(fd_, into.data(), into.size());
      if (got >= 0) return static_cast<size_t>(got);
      if (errno == EINTR) continue;
      damage_ = "reading failed: " + std::generic_category().message(errno);
      return 0;
    }
  }

 private:
  int fd_;
  bool owned_;
};

class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : left_(text) {}

  size_t read(std::span<char> into) override {
    const size_t size = std::min(into.size(), left_.size());
    std::copy_n(left_.begin(), size, into.begin());
    left_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view left_;
};

}  // namespace

base::Result<std::unique_ptr<ByteSource>> open_file(const std::filesystem::path& path) {
  if (path == "-") return std::unique_ptr<ByteSource>(new FileSource(STDIN_FILENO, false));
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return base::Error{base::ErrorKind::input,
                       "cannot be read: " + std::generic_category().message(errno), path.string()};
  }
  auto source = std::make_unique<FileSource>(fd, true);
  struct stat status {};
  if (::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
    return base::Error{base::ErrorKind::input, "is a folder", path.string()};
  }
  return std::unique_ptr<ByteSource>(std::move(source));
}

std::unique_ptr<ByteSource> bytes_of(std::string_view text) {
  return std::make_unique<TextSource>(text);
}

}  // namespace batchscope::trace
