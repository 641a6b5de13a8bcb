#include "batchscope/base/base64.hpp"

#include <cstdint>

namespace batchscope::base {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view three = bytes.substr(at, 3);
    uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < three.size() ? static_cast<uint8_t>(three[i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= three.size() ? kLetters[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

}  // namespace batchscope::base
