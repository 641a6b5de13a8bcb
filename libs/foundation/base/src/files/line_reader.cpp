#include "batchscope/base/line_reader.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "file_io.hpp"

namespace batchscope::base {
namespace {

constexpr size_t kBlockBytes = 256 * 1024;
constexpr size_t kMaxLineBytes = size_t{256} << 20;

LineReader::Read read_of(UniqueFd fd, const std::filesystem::path& path) {
  // A function has to be copyable.
  return [fd = std::make_shared<UniqueFd>(std::move(fd)),
          path](std::span<char> into) -> Result<size_t> {
    for (;;) {
      const ssize_t count = ::read(fd->get(), into.data(), into.size());
      if (count >= 0) return static_cast<size_t>(count);
      if (errno != EINTR) return read_error(errno, path);
    }
  };
}

}  // namespace

Result<LineReader> LineReader::open(const std::filesystem::path& path,
                                    const std::function<Read(Read)>& through) {
  auto file = open_to_read(path);
  if (!file) return file.error();
  Read read = read_of(std::move(file->fd), path);
  return LineReader(through ? through(std::move(read)) : std::move(read), file->size, path);
}

LineReader::LineReader(Read read, int64_t size, std::filesystem::path path)
    : read_(std::move(read)), size_(size), path_(std::move(path)) {}

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
    const auto count = read_(std::span(buffer_).subspan(searched_));
    buffer_.resize(searched_ + (count ? *count : 0));
    if (!count) return count.error();
    if (*count == 0) {
      if (buffer_.empty()) return std::optional<Line>();
      start_ = searched_ = buffer_.size();
      return std::optional(Line{buffer_, false});
    }
  }
}

}  // namespace batchscope::base
