#include "scan.hpp"

#include "batchscope/base/characters.hpp"

namespace batchscope::trace {
namespace {

constexpr bool ends_token(char c) {
  return c == ',' || c == ':' || c == '}' || c == ']';
}

// Behind the string that begins at `at`; escapes are passed over.
size_t end_of_string(std::string_view text, size_t at) {
  size_t i = text.find_first_of("\"\\", at + 1);
  while (i != kNotFound && text[i] != '"') i = text.find_first_of("\"\\", i + 2);
  return i == kNotFound ? kNotFound : i + 1;
}

// Whether the quote at `at`, inside of a string, ends it; true where the text ends.
bool closes_string(std::string_view text, size_t at) {
  const size_t next = skip_space(text, at + 1);
  return next == kNotFound || ends_token(text[next]);
}

size_t end_of_broken_string(std::string_view text, size_t at) {
  size_t i = text.find_first_of("\"\\", at + 1);
  while (i != kNotFound) {
    const bool escape = text[i] == '\\';
    if (!escape && closes_string(text, i)) return i + 1;
    i = text.find_first_of("\"\\", i + (escape ? 2 : 1));
  }
  return kNotFound;
}

template <class EndOfString>
size_t end_of_brackets(std::string_view text, size_t at, EndOfString end_of) {
  size_t depth = 0;
  for (size_t i = at; i < text.size();) {
    i = text.find_first_of("\"{}[]", i);
    if (i == kNotFound) return kNotFound;
    const char c = text[i];
    if (c == '"') {
      i = end_of(text, i);
      if (i == kNotFound) return kNotFound;
      continue;
    }
    ++i;
    if (c == '{' || c == '[') {
      ++depth;
    } else if (--depth == 0) {
      return i;
    }
  }
  return kNotFound;
}

bool is_followed_by(std::string_view text, size_t brace, std::string_view key) {
  const size_t at = skip_space(text, brace + 1);
  return at != kNotFound && text.substr(at, key.size()) == key;
}

// The place of the last character before `at` that is no white space.
size_t before(std::string_view text, size_t at) {
  while (at > 0 && is_space(text[at - 1])) --at;
  return at == 0 ? kNotFound : at - 1;
}

}  // namespace

size_t skip_space(std::string_view text, size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at < text.size() ? at : kNotFound;
}

size_t end_of_value(std::string_view text, size_t at) {
  at = skip_space(text, at);
  if (at == kNotFound) return kNotFound;
  if (text[at] == '"') return end_of_string(text, at);
  if (text[at] == '{' || text[at] == '[') return end_of_brackets(text, at, end_of_string);
  return text.find_first_of(",}] \n\r\t", at);
}

size_t end_of_broken_object(std::string_view text, size_t at) {
  return end_of_brackets(text, at, end_of_broken_string);
}

std::string mended_object(std::string_view object) {
  std::string mended;
  mended.reserve(object.size() + 16);
  bool in_string = false;
  for (size_t i = 0; i < object.size();) {
    const size_t bytes = base::utf8_bytes_at(object, i);
    const char c = object[i];
    if (bytes != 1) {
      mended += bytes == 0 ? "?" : object.substr(i, bytes);
      i += bytes == 0 ? 1 : bytes;
      continue;
    }
    ++i;
    if (in_string && c == '\\' && i < object.size()) {
      mended += c;
      mended += object[i++];
    } else if (c == '"') {
      const bool inner = in_string && !closes_string(object, i - 1);
      if (inner) mended += '\\';
      in_string = inner || !in_string;
      mended += c;
    } else {
      mended += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return mended;
}

std::string_view first_key(std::string_view event) {
  const size_t at = skip_space(event, 1);
  if (at == kNotFound || event[at] != '"') return {};
  const size_t end = end_of_string(event, at);
  return end == kNotFound ? std::string_view() : event.substr(at, end - at);
}

size_t last_boundary(std::string_view text, std::string_view key) {
  for (size_t brace = text.rfind('{'); brace != kNotFound && brace > 0;
       brace = text.rfind('{', brace - 1)) {
    if (!is_followed_by(text, brace, key)) continue;
    const size_t comma = before(text, brace);
    if (comma == kNotFound || text[comma] != ',') continue;
    const size_t closing = before(text, comma);
    if (closing != kNotFound && text[closing] == '}') return comma;
  }
  return kNotFound;
}

size_t next_event(std::string_view text, size_t at, std::string_view key) {
  for (size_t brace = text.find('{', at); brace != kNotFound; brace = text.find('{', brace + 1)) {
    if (is_followed_by(text, brace, key)) return brace;
  }
  return kNotFound;
}

}  // namespace batchscope::trace
