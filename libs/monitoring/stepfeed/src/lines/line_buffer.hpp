#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace batchscope::stepfeed {

// Cuts pieces of a stream into lines, and passes over what is longer than a line may be.
class LineBuffer {
 public:
  static constexpr std::size_t kMostBytes = 64 * 1024;

  // Calls take(line, is_whole) for each line that ends in `piece`; one that is too long is not
  // whole, and empty.
  template <class Take>
  void add(std::string_view piece, Take take) {
    for (std::size_t end = piece.find('\n'); end != std::string_view::npos;
         end = piece.find('\n')) {
      keep(piece.substr(0, end));
      take(std::string_view(begun_), !is_too_long_);
      clear();
      piece.remove_prefix(end + 1);
    }
    keep(piece);
  }

  void clear() {
    begun_.clear();
    is_too_long_ = false;
  }

 private:
  void keep(std::string_view part) {
    is_too_long_ = is_too_long_ || begun_.size() + part.size() > kMostBytes;
    if (is_too_long_) {
      begun_.clear();
    } else {
      begun_ += part;
    }
  }

  std::string begun_;
  bool is_too_long_ = false;
};

}  // namespace batchscope::stepfeed
