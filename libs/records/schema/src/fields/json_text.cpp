#include "json_text.hpp"

#include <algorithm>

#include "batchscope/base/characters.hpp"

namespace batchscope::schema {
namespace {

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// How many there were.
std::size_t take_digits(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count;
}

}  // namespace

bool is_json_number(std::string_view text) {
  take(text, "-");
  const bool leading_zero = text.starts_with('0');
  const std::size_t full = take_digits(text);
  if (full == 0 || (leading_zero && full > 1)) return false;
  if (take(text, ".") && take_digits(text) == 0) return false;
  if (take(text, "eE")) {
    take(text, "+-");
    if (take_digits(text) == 0) return false;
  }
  return text.empty();
}

std::string as_utf8(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = base::utf8_bytes_at(text, at);
    made += bytes == 0 ? kReplacement : text.substr(at, bytes);
    at += std::max(bytes, std::size_t{1});
  }
  return made;
}

}  // namespace batchscope::schema
