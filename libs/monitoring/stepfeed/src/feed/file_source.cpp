#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "batchscope/base/unique_fd.hpp"
#include "batchscope/bytes/lines.hpp"
#include "feed/source.hpp"
#include "formats/step_reader.hpp"
#include "lines/line_buffer.hpp"

namespace batchscope::stepfeed {
namespace {

constexpr int64_t kMostOfThePast = 16 << 20;
constexpr std::size_t kMostAtATime = 1 << 20;
constexpr std::size_t kPiece = 64 * 1024;

base::UniqueFd open_to_follow(const std::filesystem::path& path) {
  // Pipes and devices are not waited for, and then refused.
  return base::UniqueFd(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

bool is_compressed(const base::UniqueFd& fd) {
  std::array<char, 4> first{};
  const ssize_t got = pread(fd.get(), first.data(), first.size(), 0);
  return got > 0 && bytes::is_compressed({first.data(), static_cast<std::size_t>(got)});
}

class FileSource : public LineSource {
 public:
  explicit FileSource(std::filesystem::path path) : path_(std::move(path)) {}

  base::Result<void> begin() {
    base::UniqueFd fd = open_to_follow(path_);
    if (!fd && errno == ENOENT) return {};
    if (!fd && errno != ELOOP) {
      return base::Error{base::ErrorKind::failed,
                         "cannot open the file: " + std::generic_category().message(errno),
                         path_.string(), "name a readable file"};
    }
    if (fd && is_compressed(fd)) {
      return base::Error{base::ErrorKind::failed, "is compressed: the monitor cannot follow it",
                         path_.string(), "read it with batchscope monitor --replay"};
    }
    if (fd && take_over(std::move(fd))) return {};
    return base::Error{base::ErrorKind::failed, "is not a regular file", path_.string(),
                       "name the file itself"};
  }

  void read(const TakeLine& take, FeedCounts&) override {
    if (!fd_ && !take_over(open_to_follow(path_))) return;
    read_rest(take);
    if (is_replaced() && is_at_end()) {
      fd_ = base::UniqueFd();
      if (take_over(open_to_follow(path_))) read_rest(take);
    }
  }

 private:
  bool take_over(base::UniqueFd fd) {
    struct stat info {};
    if (!fd || fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
    fd_ = std::move(fd);
    lines_.clear();
    at_ = std::max<int64_t>(0, info.st_size - kMostOfThePast);
    passes_over_ = at_ > 0;
    return true;
  }

  int64_t size() const {
    struct stat info {};
    return fstat(fd_.get(), &info) == 0 ? int64_t{info.st_size} : 0;
  }

  bool is_at_end() const { return at_ >= size(); }

  bool is_replaced() const {
    struct stat opened {
    }, named{};
    if (fstat(fd_.get(), &opened) != 0 || lstat(path_.c_str(), &named) != 0) return false;
    return S_ISREG(named.st_mode) &&
           (opened.st_dev != named.st_dev || opened.st_ino != named.st_ino);
  }

  void read_rest(const TakeLine& take) {
    if (size() < at_) {  // cut off, and begun anew
      at_ = 0;
      lines_.clear();
    }
    std::vector<char> piece(kPiece);
    for (std::size_t total = 0; total < kMostAtATime;) {
      const ssize_t got = pread(fd_.get(), piece.data(), piece.size(), at_);
      if (got <= 0) return;
      at_ += got;
      total += static_cast<std::size_t>(got);
      lines_.add({piece.data(), static_cast<std::size_t>(got)},
                 [&](std::string_view line, bool is_complete) {
                   // The first one after a place in the middle is only the end of a line.
                   if (!std::exchange(passes_over_, false)) take(line, is_complete);
                 });
    }
  }

  std::filesystem::path path_;
  base::UniqueFd fd_;
  int64_t at_ = 0;
  bool passes_over_ = false;
  LineBuffer lines_;
};

}  // namespace

base::Result<StepFeed> StepFeed::follow(const std::filesystem::path& file) {
  auto source = std::make_unique<FileSource>(file);
  if (auto begun = source->begin(); !begun) return begun.error();
  return StepFeed(std::move(source), std::make_unique<StepReader>());
}

}  // namespace batchscope::stepfeed
