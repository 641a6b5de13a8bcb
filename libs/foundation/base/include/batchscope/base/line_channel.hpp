#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::base {

// Where others may write into a connection, such as a model into descriptors that are not its own,
// a line says by a secret that it is from who was told the secret.
std::string new_secret();  // 16 hexadecimal digits
std::string marked(std::string_view line, std::string_view secret);
// Absent: the line has not this secret.
std::optional<std::string> unmarked(std::string line, std::string_view secret);

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
