#include <fmt/format.h>

#include <array>
#include <cmath>

#include "batchscope/base/units.hpp"

namespace batchscope::base {
namespace {

// Three significant digits, of which none behind the point when there are three before it.
std::string three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

// "3 min 20 s", "2 h 5 min": two parts are as exact as anyone reads.
std::string long_duration(int64_t seconds) {
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  const int64_t minutes = (seconds + 30) / 60;
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace

std::string format_duration(Nanoseconds duration) {
  const double ns = static_cast<double>(duration.count());
  const std::string sign = ns < 0 ? "-" : "";
  const double size = std::abs(ns);
  if (size < 1e3) return fmt::format("{}{:.0f} ns", sign, size);
  // 999.5 of a unit would be printed as 1000: the next unit takes over there.
  if (size < 999.5e3) return sign + three_digits(size / 1e3) + " us";
  if (size < 999.5e6) return sign + three_digits(size / 1e6) + " ms";
  if (size < 119.5e9) return sign + three_digits(size / 1e9) + " s";
  return sign + long_duration(std::llround(size / 1e9));
}

std::string format_seconds(double seconds) {
  return format_duration(Nanoseconds(std::llround(seconds * 1e9)));
}

std::string format_bytes(int64_t bytes) {
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  const std::string sign = bytes < 0 ? "-" : "";
  double size = std::abs(static_cast<double>(bytes));
  if (size < 1024) return fmt::format("{}{:.0f} B", sign, size);
  size_t unit = 0;
  for (size /= 1024; size >= 1023.5 && unit + 1 < kUnits.size(); size /= 1024) ++unit;
  return sign + three_digits(size) + " " + kUnits.at(unit);
}

std::string format_level(double ratio) {
  return fmt::format("{:.6g} %", 100 * ratio);
}

}  // namespace batchscope::base
