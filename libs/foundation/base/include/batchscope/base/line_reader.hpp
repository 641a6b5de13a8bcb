#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::base {

// Reads a file line by line, holding one line and one block at a time whatever the file's size.
class LineReader {
 public:
  // Fills the front of a piece and says how much of it; 0 at the end.
  using Read = std::function<Result<size_t>(std::span<char>)>;
  // `through`: what the bytes of the file go through first, such as a decompression. Errors: input,
  // as read_file.
  static Result<LineReader> open(const std::filesystem::path& path,
                                 const std::function<Read(Read)>& through = {});

  struct Line {
    std::string_view text;  // without '\n'; valid until the next call
    bool full = true;       // false for a last line that has no '\n'
  };
  // Nothing at the end of the file. Errors: input (cannot be read, a line of more than 256 MiB).
  Result<std::optional<Line>> next();
  // Of the whole file when it was opened, in bytes.
  int64_t size() const { return size_; }

 private:
  LineReader(Read read, int64_t size, std::filesystem::path path);

  Read read_;
  int64_t size_;
  std::filesystem::path path_;
  std::string buffer_;
  size_t start_ = 0;     // of what is not handed out yet
  size_t searched_ = 0;  // no '\n' between start_ and here
};

}  // namespace batchscope::base
