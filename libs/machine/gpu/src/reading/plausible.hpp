#pragma once

#include <cstdint>
#include <optional>

// Drivers answer with success and a number that is none, such as all bits set, where they do not
// know. What cannot be is absent.
namespace batchscope::gpu {

// Also of a counter of 32 bits, all of which are set where it is not known.
constexpr std::optional<int64_t> plausible_count(unsigned long long value) {
  constexpr unsigned long long kMost = 1ULL << 62U, kAllBits = 0xffffffff;
  if (value > kMost || value == kAllBits) return std::nullopt;
  return static_cast<int64_t>(value);
}

// A little above 1 comes from rounding.
constexpr std::optional<double> plausible_ratio(double value) {
  constexpr double kRounding = 0.01;
  if (!(value >= 0 && value <= 1 + kRounding)) return std::nullopt;
  return value > 1 ? 1 : value;
}

// 0: a sensor that is not there.
constexpr std::optional<double> plausible_celsius(unsigned value) {
  constexpr unsigned kMost = 200;
  if (value == 0 || value > kMost) return std::nullopt;
  return value;
}

// Of anything that is at least 0, in units of `unit`.
constexpr std::optional<double> plausible_amount(double value, double most, double unit) {
  if (!(value >= 0 && value <= most)) return std::nullopt;
  return value * unit;
}

}  // namespace batchscope::gpu
