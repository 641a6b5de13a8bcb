#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace batchscope::trace {

inline constexpr size_t kNotFound = std::string_view::npos;

constexpr bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
// The first place at or behind `at` that is no white space.
size_t skip_space(std::string_view text, size_t at);

// Behind the JSON value that begins at `at`; kNotFound where the text ends in it. Only brackets and
// strings are looked at.
size_t end_of_value(std::string_view text, size_t at);

// The same of an object that may be broken: a quote ends a string only where a comma, a colon or a
// closing bracket follows, as it does not in the middle of a name.
size_t end_of_broken_object(std::string_view text, size_t at);
// Such an object as JSON: quotes inside of strings escaped, control characters made spaces, bytes
// that are not UTF-8 question marks.
std::string mended_object(std::string_view object);

// Where events are cut from each other. The first key of a file's first event, with its quotes, is
// taken for the first key of all: `"ph"`.
std::string_view first_key(std::string_view event);

// The last comma between two events; kNotFound where there is none.
size_t last_boundary(std::string_view text, std::string_view key);
// The first opening brace at or behind `at` that a first key follows; kNotFound likewise.
size_t next_event(std::string_view text, size_t at, std::string_view key);

}  // namespace batchscope::trace
