#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace batchscope::base {

// What is safe to print of a text that came from a file: terminal control sequences, control
// characters, invisible and direction-changing characters are removed, line breaks and tabs become
// a space, bytes that are not UTF-8 become U+FFFD.
std::string clean(std::string_view text);

// Columns a clean text takes in a terminal: East Asian wide characters and emoji two, combining
// marks none.
std::size_t display_width(std::string_view text);

// A clean text cut to `width` columns, the middle replaced by an ellipsis: the ends of long names
// are what tells them apart.
std::string shorten(std::string_view text, std::size_t width);

// Only ASCII: typographic signs by their nearest spelling, anything else by '?'.
std::string to_ascii(std::string_view text);

// Where a text stops being UTF-8: the place of the first byte that begins no character, counted
// from 0; nothing for a text that is UTF-8 to its end. As Unicode has it (chapter 3, table 3-7): no
// overlong forms, no surrogates, nothing above U+10FFFF.
std::optional<std::size_t> first_not_utf8(std::string_view text);

// Bytes of the character that begins there; 0 where none does.
std::size_t utf8_bytes_at(std::string_view text, std::size_t at);

// As visible() of strings.hpp, of JSON, which stays JSON: \u001b instead of \x1b.
std::string visible_json(std::string_view json);

}  // namespace batchscope::base
