#include "json_line.hpp"

namespace batchscope::schema::former {
namespace {

void append_utf8(std::string& text, unsigned code) {
  const auto add = [&text](unsigned byte) { text.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | (code >> 6));
    add(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    add(0xE0 | (code >> 12));
    add(0x80 | ((code >> 6) & 0x3F));
    add(0x80 | (code & 0x3F));
  } else {
    add(0xF0 | (code >> 18));
    add(0x80 | ((code >> 12) & 0x3F));
    add(0x80 | ((code >> 6) & 0x3F));
    add(0x80 | (code & 0x3F));
  }
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20;
}

}  // namespace

bool JsonLine::parse_string(std::string_view& text) {
  if (at_ == text_.size() || text_[at_] != '"') return false;
  const size_t start = ++at_;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '"') {
      text = text_.substr(start, at_ - start);
      ++at_;
      return true;
    }
    if (c == '\\') return decode_string(start, text);
    if (is_control(c)) return false;
  }
  return false;
}

// A string with escapes: copied, because it is not in the line as it reads.
bool JsonLine::decode_string(size_t start, std::string_view& text) {
  std::string decoded(text_.substr(start, at_ - start));
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == '"') {
      text = decoded_.emplace_back(std::move(decoded));
      return true;
    }
    if (is_control(c)) return false;
    if (c != '\\') {
      decoded.push_back(c);
    } else if (!decode_escape(decoded)) {
      return false;
    }
  }
  return false;
}

bool JsonLine::decode_escape(std::string& decoded) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (at_ == text_.size()) return false;
  const char c = text_[at_++];
  if (const size_t place = kEscapes.find(c); place != std::string_view::npos) {
    decoded.push_back(kMeanings[place]);
    return true;
  }
  unsigned code = 0;
  if (c != 'u' || !parse_hex4(code)) return false;
  if (code >= 0xD800 && code < 0xDC00) {  // the first half of a surrogate pair
    unsigned low = 0;
    if (text_.substr(at_, 2) != "\\u") return false;
    at_ += 2;
    if (!parse_hex4(low) || low < 0xDC00 || low > 0xDFFF) return false;
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  } else if (code >= 0xDC00 && code < 0xE000) {
    return false;
  }
  append_utf8(decoded, code);
  return true;
}

bool JsonLine::parse_hex4(unsigned& code) {
  if (text_.size() - at_ < 4) return false;
  code = 0;
  for (const size_t end = at_ + 4; at_ < end; ++at_) {
    const char c = text_[at_];
    unsigned digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<unsigned>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<unsigned>(c - 'A') + 10;
    } else {
      return false;
    }
    code = code * 16 + digit;
  }
  return true;
}

}  // namespace batchscope::schema::former
