#include "batchscope/base/line_reader.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "file_io.hpp"

namespace batchscope::base {
namespace {

constexpr size_t kBlockBytes = 256 * 1024;
constexpr size_t kMaxLineBytes = size_t{256} << 20;

}  // namespace

Result<LineReader> LineReader::open(const std::filesystem::path& path) {
  auto file = open_to_read(path);
  if (!file) return file.error();
  return LineReader(std::move(file->fd), file->size, path);
}

LineReader::LineReader(UniqueFd fd, int64_t size, std::filesystem::path path)
    : fd_(std::move(fd)), size_(size), path_(std::move(path)) {}

Result<std::optional<LineReader::Line>> LineReader::next() {
  while (true) {
    const size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      const Line line{std::string_view(buffer_).substr(start_, end - start_), true};
      start_ = searched_ = end + 1;
      return std::optional(line);
    }
    buffer_.erase(0, start_);
    start_ = 0;
    searched_ = buffer_.size();
    if (searched_ > kMaxLineBytes) {
      return Error{ErrorKind::input, "has a line of more than 256 MiB", path_.string(), ""};
    }
    buffer_.resize(searched_ + kBlockBytes);
    const ssize_t count = read(fd_.get(), buffer_.data() + searched_, kBlockBytes);
    const int code = errno;
    buffer_.resize(searched_ + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0 && code != EINTR) return read_error(code, path_);
    if (count == 0) {
      if (buffer_.empty()) return std::optional<Line>();
      start_ = searched_ = buffer_.size();
      return std::optional(Line{buffer_, false});
    }
  }
}

}  // namespace batchscope::base
