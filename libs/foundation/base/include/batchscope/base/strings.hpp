#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace batchscope::base {

// Without ASCII white space at both ends; a view into `text`.
std::string_view trim(std::string_view text);

// The parts between separators, untrimmed; "a,,b" has an empty one, "" is one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

// ASCII only; other bytes stay.
std::string to_lower(std::string_view text);

// As a sentence begins, or goes on: the first letter alone is changed, ASCII only.
std::string capitalised(std::string text);
std::string uncapitalised(std::string text);
// A sentence as a clause: one full stop at its end is left out.
std::string without_period(std::string text);

// Control characters but newline and tab, and what is no UTF-8, as \x1b, and marks that turn the
// direction of text as \u202e: names steer no terminal.
std::string visible(std::string_view text);

// Whether `part` stands somewhere in `text` (std::string::contains of C++23).
constexpr bool contains_text(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
// The same of any of the parts.
template <class Parts>
constexpr bool contains_any_text(std::string_view text, const Parts& parts) {
  for (const std::string_view part : parts) {
    if (contains_text(text, part)) return true;
  }
  return false;
}

}  // namespace batchscope::base
