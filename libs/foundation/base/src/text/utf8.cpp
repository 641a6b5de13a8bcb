#include <cstring>

#include "batchscope/base/characters.hpp"

namespace batchscope::base {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool continues(unsigned char byte) {
  return (byte & 0xC0U) == 0x80U;
}

bool between(unsigned char byte, unsigned low, unsigned high) {
  return byte >= low && byte <= high;
}

// What may follow the first byte of three or four: the rest of the first byte's choices is either
// overlong, a surrogate or too high.
bool second_fits(unsigned char first, unsigned char second) {
  switch (first) {
    case 0xE0:
      return between(second, 0xA0, 0xBF);
    case 0xED:
      return between(second, 0x80, 0x9F);
    case 0xF0:
      return between(second, 0x90, 0xBF);
    case 0xF4:
      return between(second, 0x80, 0x8F);
    default:
      return continues(second);
  }
}

}  // namespace

std::size_t utf8_bytes_at(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at);
  if (first < 0x80) return 1;
  const std::size_t bytes = between(first, 0xC2, 0xDF)   ? 2
                            : between(first, 0xE0, 0xEF) ? 3
                            : between(first, 0xF0, 0xF4) ? 4
                                                         : 0;
  if (bytes == 0 || !second_fits(first, byte_at(text, at + 1))) return 0;
  for (std::size_t i = 2; i < bytes; ++i) {
    if (!continues(byte_at(text, at + i))) return 0;
  }
  return bytes;
}

namespace {

bool eight_are_ascii(std::string_view text, std::size_t at) {
  unsigned long long eight = 0;
  std::memcpy(&eight, text.data() + at, sizeof eight);
  return (eight & 0x8080808080808080ULL) == 0;
}

}  // namespace

std::optional<std::size_t> first_not_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (at + 8 <= text.size() && eight_are_ascii(text, at)) {
      at += 8;
      continue;
    }
    const std::size_t bytes = utf8_bytes_at(text, at);
    if (bytes == 0) return at;
    at += bytes;
  }
  return std::nullopt;
}

}  // namespace batchscope::base
