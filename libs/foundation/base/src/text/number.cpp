#include "number.hpp"

#include <charconv>
#include <cmath>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::base {

std::optional<NumberAndRest> leading_number(std::string_view text) {
  text = trim(text);
  NumberAndRest number;
  const char* end = text.data() + text.size();
  const auto real = std::from_chars(text.data(), end, number.value);
  if (real.ec != std::errc() || !std::isfinite(number.value)) return std::nullopt;
  int64_t full = 0;
  const auto integer = std::from_chars(text.data(), end, full);
  if (integer.ec == std::errc() && integer.ptr == real.ptr) number.full = full;
  number.rest = trim(text.substr(static_cast<size_t>(real.ptr - text.data())));
  return number;
}

std::optional<int64_t> integer_flag(std::string_view text) {
  return parse_number<int64_t>(trim(text));
}

}  // namespace batchscope::base
