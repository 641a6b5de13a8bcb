#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace batchscope::base {

// All of `text` as a number in the notation of std::from_chars; nothing when it is anything else or
// does not fit. A double may be infinite or no number ("inf", "nan").
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

}  // namespace batchscope::base
