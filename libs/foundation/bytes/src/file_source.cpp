#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "batchscope/bytes/byte_source.hpp"

namespace batchscope::bytes {
namespace {

class FileSource : public ByteSource {
 public:
  // `size`: of the file; 0 where it has none.
  FileSource(int fd, bool owned, int64_t size) : fd_(fd), owned_(owned), size_(size) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override {
    if (owned_) ::close(fd_);
  }

  size_t read(std::span<char> into) override {
    for (;;) {
      const ssize_t got = ::read(fd_, into.data(), into.size());
      read_ += std::max<ssize_t>(0, got);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno == EINTR) continue;
      damage_ = "reading failed: " + std::generic_category().message(errno);
      return 0;
    }
  }

  double share_read() const override {
    return size_ > 0 ? static_cast<double>(read_) / static_cast<double>(size_) : 0;
  }

 private:
  int fd_;
  bool owned_;
  int64_t size_;
  int64_t read_ = 0;
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
  if (path == "-") return std::unique_ptr<ByteSource>(new FileSource(STDIN_FILENO, false, 0));
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return base::Error{base::ErrorKind::input,
                       "cannot read the file: " + std::generic_category().message(errno),
                       path.string()};
  }
  struct stat status {};
  const bool is_known = ::fstat(fd, &status) == 0;
  const int64_t size = is_known && S_ISREG(status.st_mode) ? status.st_size : 0;
  auto source = std::make_unique<FileSource>(fd, true, size);
  if (is_known && S_ISDIR(status.st_mode)) {
    return base::Error{base::ErrorKind::input, "is a folder", path.string()};
  }
  return std::unique_ptr<ByteSource>(std::move(source));
}

std::unique_ptr<ByteSource> bytes_of(std::string_view text) {
  return std::make_unique<TextSource>(text);
}

}  // namespace batchscope::bytes
