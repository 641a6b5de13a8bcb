#include "batchscope/base/characters.hpp"

#include <array>
#include <vector>

namespace batchscope::base {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kEscape = 0x1B;
constexpr char32_t kControlSequence = 0x9B;  // the one-character form of ESC [
constexpr char32_t kBell = 0x07;

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool in_any(char32_t c, const std::array<Range, N>& ranges) {
  for (const Range& range : ranges) {
    if (c >= range.first && c <= range.last) return true;
  }
  return false;
}

// Zero-width, direction-changing and tag characters: they make a text look like another one.
constexpr std::array<Range, 8> kInvisible = {{{0x00AD, 0x00AD},
                                              {0x061C, 0x061C},
                                              {0x180E, 0x180E},
                                              {0x200B, 0x200F},
                                              {0x202A, 0x202E},
                                              {0x2060, 0x206F},
                                              {0xFEFF, 0xFEFF},
                                              {0xE0000, 0xE0FFF}}};
// Unicode Standard Annex 11 (East Asian Width), wide and fullwidth, in coarse ranges.
constexpr std::array<Range, 9> kWide = {{{0x1100, 0x115F},
                                         {0x2E80, 0x303E},
                                         {0x3041, 0xA4CF},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFE30, 0xFE6F},
                                         {0xFF00, 0xFF60},
                                         {0x1F300, 0x1FAFF},
                                         {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 6> kCombining = {{{0x0300, 0x036F},
                                              {0x1AB0, 0x1AFF},
                                              {0x1DC0, 0x1DFF},
                                              {0x20D0, 0x20FF},
                                              {0xFE00, 0xFE0F},
                                              {0xFE20, 0xFE2F}}};

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F);
}

struct Decoded {
  char32_t character;
  std::size_t bytes;
};

// One character of UTF-8 (RFC 3629); overlong forms, surrogates and stray bytes give U+FFFD and
// take one byte.
Decoded decode_one(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {kReplacement, 1};
  auto character = static_cast<char32_t>(lead & (0x7F >> bytes));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {kReplacement, 1};
    character = (character << 6) | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  if (character < kSmallest[bytes] || character > 0x10FFFF || surrogate) return {kReplacement, 1};
  return {character, bytes};
}

std::vector<char32_t> decode(std::string_view text) {
  std::vector<char32_t> characters;
  characters.reserve(text.size());
  while (!text.empty()) {
    const Decoded one = decode_one(text);
    characters.push_back(one.character);
    text.remove_prefix(one.bytes);
  }
  return characters;
}

void append(std::string& out, char32_t c) {
  const auto put = [&](char32_t bits) { out.push_back(static_cast<char>(bits)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

// Index just after a control sequence's parameters and final byte (ECMA-48, 5.4).
std::size_t after_control_sequence(const std::vector<char32_t>& text, std::size_t at) {
  while (at < text.size() && text[at] >= 0x20 && text[at] <= 0x3F) ++at;
  return at < text.size() && text[at] >= 0x40 && text[at] <= 0x7E ? at + 1 : at;
}

// Index just after a string (title, hyperlink) that ends in BEL or ESC \; `at` itself when it never
// ends, so that a stray opening does not swallow the rest of a name.
std::size_t after_control_string(const std::vector<char32_t>& text, std::size_t at) {
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == kBell || text[i] == 0x9C) return i + 1;
    if (text[i] == kEscape && i + 1 < text.size() && text[i + 1] == U'\\') return i + 2;
  }
  return at;
}

std::size_t after_escape(const std::vector<char32_t>& text, std::size_t at) {
  if (at >= text.size()) return at;
  switch (text[at]) {
    case U'[':
      return after_control_sequence(text, at + 1);
    case U']':
    case U'P':
    case U'X':
    case U'^':
    case U'_':
      return after_control_string(text, at + 1);
    default:
      return at;
  }
}

std::size_t character_width(char32_t c) {
  if (in_any(c, kCombining)) return 0;
  return in_any(c, kWide) ? 2 : 1;
}

std::string_view ascii_spelling(char32_t c) {
  switch (c) {
    case 0x00B1:
      return "+-";
    case 0x00D7:
      return "x";
    case 0x00B7:
      return "|";
    case 0x00B5:
    case 0x03BC:
      return "u";
    case 0x2013:
    case 0x2014:
    case 0x2212:
    case 0x2500:
      return "-";
    case 0x2018:
    case 0x2019:
      return "'";
    case 0x201C:
    case 0x201D:
      return "\"";
    case 0x2026:
      return "...";
    case 0x2192:
      return "->";
    case 0x2264:
      return "<=";
    case 0x2265:
      return ">=";
    default:
      return "?";
  }
}

}  // namespace

std::string clean(std::string_view text) {
  const std::vector<char32_t> characters = decode(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < characters.size();) {
    const char32_t c = characters[i++];
    if (c == kEscape) {
      i = after_escape(characters, i);
    } else if (c == kControlSequence) {
      i = after_control_sequence(characters, i);
    } else if (c == U'\n' || c == U'\t' || c == U'\r' || c == 0x2028 || c == 0x2029) {
      out.push_back(' ');
    } else if (!is_control(c) && !in_any(c, kInvisible)) {
      append(out, c);
    }
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char32_t c : decode(text)) width += character_width(c);
  return width;
}

std::string shorten(std::string_view text, std::size_t width) {
  if (display_width(text) <= width || width < 3) return std::string(text);
  const std::vector<char32_t> characters = decode(text);
  const std::size_t tail_room = (width - 1) / 2;
  const std::size_t head_room = width - 1 - tail_room;
  std::string head;
  for (std::size_t used = 0; const char32_t c : characters) {
    used += character_width(c);
    if (used > head_room) break;
    append(head, c);
  }
  std::size_t first = characters.size();
  for (std::size_t used = 0; first > 0; --first) {
    used += character_width(characters[first - 1]);
    if (used > tail_room) break;
  }
  append(head, 0x2026);
  for (std::size_t i = first; i < characters.size(); ++i) append(head, characters[i]);
  return head;
}

std::string to_ascii(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char32_t c : decode(text)) {
    if (c < 0x80) {
      out.push_back(static_cast<char>(c));
    } else {
      out += ascii_spelling(c);
    }
  }
  return out;
}

}  // namespace batchscope::base
