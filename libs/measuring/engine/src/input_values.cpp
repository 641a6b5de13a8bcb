#include "input_values.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "batchscope/base/parse_number.hpp"

namespace batchscope::engine {
namespace {

// Beyond it a double skips whole numbers.
constexpr int64_t kLargestExact = int64_t{1} << 53;

bool is_integral(std::string_view text) {
  if (text.substr(0, 1) == "-") text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// What a range may hold. Of int64 all but the largest: generators take the end that is excluded.
std::pair<int64_t, int64_t> integers_of(DType dtype) {
  using Int32 = std::numeric_limits<int32_t>;
  using Int64 = std::numeric_limits<int64_t>;
  if (dtype == DType::boolean) return {0, 1};
  if (dtype == DType::int32) return {Int32::min(), Int32::max()};
  return {Int64::min(), Int64::max() - 1};
}

double largest_of(DType dtype) {
  if (dtype == DType::float64) return std::numeric_limits<double>::max();
  if (dtype == DType::float16) return 65504;
  if (dtype == DType::bfloat16) return 0x1.fep127;
  return static_cast<double>(std::numeric_limits<float>::max());
}

// "LOW-HIGH"; the first '-' that is not a sign.
std::optional<std::pair<std::string_view, std::string_view>> ends_of(std::string_view text) {
  const std::size_t dash = text.find('-', 1);
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view low = text.substr(0, dash), high = text.substr(dash + 1);
  if (!is_integral(low) || !is_integral(high)) return std::nullopt;
  return std::pair(low, high);
}

std::optional<std::string> read_range(std::string_view low_text, std::string_view high_text,
                                      InputSpec& spec) {
  if (!is_integer(spec.dtype)) return "only integer types can have a range";
  const auto [least, most] = integers_of(spec.dtype);
  for (const std::string_view end : {low_text, high_text}) {
    const auto value = base::parse_number<int64_t>(end);
    if (value && *value >= least && *value <= most) continue;
    return fmt::format("{} cannot be drawn as {}; {} to {} can", end, to_string(spec.dtype), least,
                       most);
  }
  const int64_t low = *base::parse_number<int64_t>(low_text),
                high = *base::parse_number<int64_t>(high_text);
  if (low > high) return fmt::format("{} is above {}", low, high);
  int64_t span = 0;
  if (__builtin_sub_overflow(high, low, &span) || span == std::numeric_limits<int64_t>::max()) {
    return fmt::format("the range is too large: at most {} values",
                       std::numeric_limits<int64_t>::max());
  }
  spec.low = low;
  spec.high = high;
  return std::nullopt;
}

std::optional<std::string> refuse_fraction(std::string_view text, DType dtype, double value) {
  if (value != std::floor(value)) return fmt::format("{} holds integers", to_string(dtype));
  auto [least, most] = integers_of(dtype);
  if (dtype == DType::int64) {
    most = kLargestExact;
    least = -most;
  }
  if (value >= static_cast<double>(least) && value <= static_cast<double>(most)) return {};
  return fmt::format("{} cannot be a value of {}; {} to {} can", text, to_string(dtype), least,
                     most);
}

}  // namespace

bool is_integer(DType dtype) {
  return dtype == DType::int64 || dtype == DType::int32 || dtype == DType::boolean;
}

std::optional<std::string> read_values(std::string_view values, InputSpec& spec) {
  if (const auto ends = ends_of(values)) return read_range(ends->first, ends->second, spec);
  const auto constant = base::parse_number<double>(values);
  if (!constant || !std::isfinite(*constant)) {
    return fmt::format("'{}' is neither a number nor a range LOW-HIGH", values);
  }
  if (is_integer(spec.dtype)) {
    if (auto refused = refuse_fraction(values, spec.dtype, *constant)) return refused;
  } else if (const double most = largest_of(spec.dtype); std::abs(*constant) > most) {
    return fmt::format("{} cannot be a value of {}; {:.5g} to {:.5g} can", values,
                       to_string(spec.dtype), -most, most);
  }
  spec.constant = constant;
  return std::nullopt;
}

int64_t within(int64_t low, int64_t high, uint64_t drawn) {
  const uint64_t count = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  return static_cast<int64_t>(static_cast<uint64_t>(low) + (count == 0 ? drawn : drawn % count));
}

std::pair<int64_t, int64_t> integer_range(const InputSpec& spec) {
  const int64_t low = spec.low.value_or(0);
  return {low, spec.high ? *spec.high : low + 1};
}

int64_t integer_of(const InputSpec& input, uint64_t drawn) {
  const auto [low, high] = integer_range(input);
  return within(low, high, drawn);
}

}  // namespace batchscope::engine
