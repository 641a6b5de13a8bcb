#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace batchscope::base {

// A number at the start of `text` and what follows it, trimmed. `whole` is set when it is an
// integer that fits, so that large byte counts keep every digit.
struct NumberAndRest {
  double value = 0;
  std::optional<int64_t> full;
  std::string_view rest;
};

// Nothing when `text` does not start with a finite number.
std::optional<NumberAndRest> leading_number(std::string_view text);

// All of `text` as an integer; nothing when it is anything else or does not fit.
std::optional<int64_t> integer_flag(std::string_view text);

}  // namespace batchscope::base
