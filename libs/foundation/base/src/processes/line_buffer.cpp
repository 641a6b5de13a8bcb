#include "line_buffer.hpp"

#include <unistd.h>

#include <array>

namespace batchscope::base {

std::optional<std::string> take_line(std::string& buffer, size_t& searched) {
  const size_t end = buffer.find('\n', searched);
  if (end == std::string::npos) {
    searched = buffer.size();
    return std::nullopt;
  }
  std::string line = buffer.substr(0, end);
  buffer.erase(0, end + 1);
  searched = 0;
  return line;
}

ssize_t append_from(int fd, std::string& buffer) {
  std::array<char, 65536> block;
  const ssize_t count = read(fd, block.data(), block.size());
  if (count > 0) buffer.append(block.data(), static_cast<size_t>(count));
  return count;
}

}  // namespace batchscope::base
