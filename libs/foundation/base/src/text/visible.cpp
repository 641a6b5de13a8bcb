#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/characters.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::base {
namespace {

// The code of a mark that turns the direction of what follows, or of what embeds it; 0: it is none.
// U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
unsigned turns(std::string_view character) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(character[at]); };
  if (character == "\xD8\x9C") return 0x061C;
  if (character.size() != 3 || byte(0) != 0xE2) return 0;
  const unsigned code = 0x2000U + (byte(1) - 0x80U) * 0x40U + (byte(2) - 0x80U);
  const bool marks = code == 0x200E || code == 0x200F;
  const bool embeds = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return marks || embeds ? code : 0;
}

// Of one character of UTF-8: C0 but newline and tab, delete, and U+0080 to U+009F.
bool steers(std::string_view character) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(character[at]); };
  if (character.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  const bool c0 = byte(0) < 0x20 && byte(0) != '\n' && byte(0) != '\t';
  return character.size() == 1 && (c0 || byte(0) == 0x7f);
}

std::string spelt_out(std::string_view text, std::string_view prefix) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = utf8_bytes_at(text, at);
    const std::string_view character = text.substr(at, std::max<std::size_t>(bytes, 1));
    at += character.size();
    if (const unsigned code = turns(character); code != 0) {
      shown += fmt::format("\\u{:04x}", code);
      continue;
    }
    if (bytes > 0 && !steers(character)) {
      shown += character;
      continue;
    }
    const auto code = static_cast<unsigned char>(character.back());  // also of the two of C1
    shown += prefix;
    shown += kDigits[code / 16];
    shown += kDigits[code % 16];
  }
  return shown;
}

}  // namespace

std::string visible(std::string_view text) {
  return spelt_out(text, "\\x");
}

std::string visible_json(std::string_view json) {
  return spelt_out(json, "\\u00");
}

}  // namespace batchscope::base
