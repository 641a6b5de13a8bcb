#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "number.hpp"

namespace batchscope::base {
namespace {

struct Unit {
  std::string_view name;
  int64_t factor;
};

constexpr std::array kDurations = {
    Unit{"ns", 1},
    Unit{"us", 1'000},
    Unit{"\u00b5s", 1'000},
    Unit{"ms", 1'000'000},
    Unit{"s", 1'000'000'000},
    Unit{"m", 60'000'000'000},
    Unit{"min", 60'000'000'000},
    Unit{"h", 3'600'000'000'000},
};
constexpr std::array kBytes = {
    Unit{"b", 1},
    Unit{"kb", 1'000},
    Unit{"mb", 1'000'000},
    Unit{"gb", 1'000'000'000},
    Unit{"tb", 1'000'000'000'000},
    Unit{"kib", int64_t{1} << 10},
    Unit{"mib", int64_t{1} << 20},
    Unit{"gib", int64_t{1} << 30},
    Unit{"tib", int64_t{1} << 40},
};

template <size_t N>
std::optional<int64_t> factor_of(const std::array<Unit, N>& units, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.factor;
  }
  return std::nullopt;
}

// value x factor, or nothing when it is negative or does not fit.
std::optional<int64_t> scaled(const NumberAndRest& number, int64_t factor) {
  if (number.full.has_value()) {
    int64_t product = 0;
    if (*number.full < 0 || __builtin_mul_overflow(*number.full, factor, &product)) return {};
    return product;
  }
  const double product = number.value * static_cast<double>(factor);
  if (!(product >= 0) || product >= static_cast<double>(std::numeric_limits<int64_t>::max())) {
    return {};
  }
  return std::llround(product);
}

Error usage(std::string_view text, std::string_view problem, std::string_view fix) {
  return {ErrorKind::usage, fmt::format("'{}' {}", text, problem), "", std::string(fix)};
}

}  // namespace

Result<Nanoseconds> parse_duration(std::string_view text) {
  constexpr std::string_view kFix = "write, for example, 200ms, 1.5s, 10m or 2h";
  const auto number = leading_number(text);
  if (!number) return usage(text, "is not a duration", kFix);
  if (number->rest.empty()) return usage(text, "has no unit of time", kFix);
  const auto factor = factor_of(kDurations, number->rest);
  if (!factor) return usage(text, "has an unknown unit of time", kFix);
  const auto nanoseconds = scaled(*number, *factor);
  if (!nanoseconds) return usage(text, "is negative or too long", kFix);
  return Nanoseconds(*nanoseconds);
}

Result<int64_t> parse_bytes(std::string_view text) {
  constexpr std::string_view kFix = "write, for example, 8GiB, 500MB or 1048576B";
  const auto number = leading_number(text);
  if (!number) return usage(text, "is not a size", kFix);
  const std::string unit = to_lower(number->rest);
  if (unit.empty() && number->value == 0) return 0;
  if (unit.empty()) {
    const std::string typed(trim(text));
    return usage(text, fmt::format("has no unit of size", typed),
                 fmt::format("give a unit: {0}GiB, {0}MiB or {0}B", typed));
  }
  if (unit == "k" || unit == "m" || unit == "g" || unit == "t") {
    return usage(text, "is ambiguous: 1000 or 1024?", kFix);
  }
  const auto factor = factor_of(kBytes, unit);
  if (!factor) return usage(text, "has an unknown unit of size", kFix);
  const auto bytes = scaled(*number, *factor);
  if (!bytes) return usage(text, "is negative or too large", kFix);
  return *bytes;
}

Result<double> parse_ratio(std::string_view text) {
  constexpr std::string_view kFix = "write, for example, 3% or 0.03";
  const auto number = leading_number(text);
  if (!number || (!number->rest.empty() && number->rest != "%")) {
    return usage(text, "is not a ratio", kFix);
  }
  if (number->value < 0) return usage(text, "is negative", kFix);
  if (number->rest == "%") return number->value / 100;
  if (number->value >= 1) {
    return usage(text, "is ambiguous: a share or a percentage?", "write 3% or 0.03");
  }
  return number->value;
}

}  // namespace batchscope::base
