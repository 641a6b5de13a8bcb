#include "tokens.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "batchscope/base/parse_number.hpp"
#include "scan.hpp"

namespace batchscope::trace {
namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr int64_t kMostMicroseconds = std::numeric_limits<int64_t>::max() / 1000 - 1;

// "1.6e15", or more digits than fit.
std::optional<int64_t> from_floating_point(std::string_view token) {
  const auto value = base::parse_number<double>(token);
  if (!value || !(std::abs(*value) < static_cast<double>(kMostMicroseconds))) return std::nullopt;
  return static_cast<int64_t>(std::llround(*value * 1000));
}

}  // namespace

std::optional<int64_t> nanoseconds_of(std::string_view token) {
  token = unquoted(token);
  size_t at = token.starts_with('-') ? 1 : 0;
  const bool negative = at == 1;
  int64_t microseconds = 0;
  const size_t first = at;
  for (; at < token.size() && is_digit(token[at]) && at - first < 16; ++at) {
    microseconds = microseconds * 10 + (token[at] - '0');
  }
  if (at == first || microseconds > kMostMicroseconds) return std::nullopt;
  int64_t below = 0;
  if (at < token.size() && token[at] == '.') {
    int64_t digit = 100;
    for (++at; at < token.size() && is_digit(token[at]); ++at, digit /= 10) {
      below += (token[at] - '0') * digit;
    }
  }
  if (at != token.size()) return from_floating_point(token);
  const int64_t value = microseconds * 1000 + below;
  return negative ? -value : value;
}

std::optional<int64_t> integer_of(std::string_view token) {
  token = unquoted(token);
  int64_t value = 0;
  const bool hexadecimal = token.starts_with("0x");
  if (hexadecimal) token.remove_prefix(2);
  const char* const last = token.data() + token.size();
  if (hexadecimal) {
    uint64_t bits = 0;
    const auto [end, error] = std::from_chars(token.data(), last, bits, 16);
    if (error != std::errc() || end != last) return std::nullopt;
    return static_cast<int64_t>(bits);
  }
  const auto [end, error] = std::from_chars(token.data(), last, value);
  return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

std::optional<double> number_of(std::string_view token) {
  const auto value = base::parse_number<double>(token);
  return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

int64_t extent_of(std::string_view array) {
  if (!array.starts_with('[')) return 0;
  int64_t product = 1;
  for (size_t at = 1; at < array.size();) {
    at = skip_space(array, at);
    if (at == kNotFound) return 0;
    int64_t side = 0;
    const auto [end, error] = std::from_chars(array.data() + at, array.data() + array.size(), side);
    if (error != std::errc() || side <= 0) return 0;
    if (__builtin_mul_overflow(product, side, &product)) return 0;
    at = skip_space(array, static_cast<size_t>(end - array.data()));
    if (at == kNotFound || (array[at] != ',' && array[at] != ']')) return 0;
    if (array[at] == ']') return product;
    ++at;
  }
  return 0;
}

std::string_view unquoted(std::string_view token) {
  if (token.size() < 2 || token.front() != '"' || token.back() != '"') return token;
  return token.substr(1, token.size() - 2);
}

}  // namespace batchscope::trace
