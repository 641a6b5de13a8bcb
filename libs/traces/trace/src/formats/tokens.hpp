#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace batchscope::trace {

// A number's token as nanoseconds, from decimal microseconds: no binary fraction is in between.
// Digits below a nanosecond are dropped. Nothing where it is no finite number of at most 285 years.
std::optional<int64_t> nanoseconds_of(std::string_view token);
// A whole number's token, also within quotes and in hexadecimal ("0x..."); nothing for others.
std::optional<int64_t> integer_of(std::string_view token);
// A number's token that is at least 0; nothing for others.
std::optional<double> number_of(std::string_view token);
// [x, y, z] has x y z elements; 0 where it is something else or more than an int64_t holds.
int64_t extent_of(std::string_view array);
// What stands between the quotes, with its escapes; a token that is no string as it is.
std::string_view unquoted(std::string_view token);

}  // namespace batchscope::trace
