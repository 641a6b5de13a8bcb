#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::base {

// The child's side of the connection that Child makes: blocking, lines both ways.
class LineChannel {
 public:
  // Takes over the descriptor (a connected stream socket): it gets a high number, and is kept from
  // processes started later.
  explicit LineChannel(int fd);
  LineChannel(const LineChannel&) = delete;
  LineChannel& operator=(const LineChannel&) = delete;
  ~LineChannel();

  // Adds '\n'. Errors: failed (the other side is gone).
  Result<void> send_line(std::string_view line);
  // Whether receive_line() has something to read, be it that the other side closed.
  bool has_input() const;
  // The next line without '\n'; nothing when the other side closed.
  Result<std::optional<std::string>> receive_line();

 private:
  int fd_;
  std::string buffer_;
  size_t searched_ = 0;  // no '\n' before this place in buffer_
};

}  // namespace batchscope::base
