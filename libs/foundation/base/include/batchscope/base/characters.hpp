#pragma once

#include <cstddef>
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

}  // namespace batchscope::base
