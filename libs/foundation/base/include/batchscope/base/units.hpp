#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::base {

using Nanoseconds = std::chrono::nanoseconds;

// "200ms", "1.5s", "10m", "2h", "500us", "30ns"; a bare number is refused because its unit would be
// a guess. Errors: usage.
Result<Nanoseconds> parse_duration(std::string_view text);

// "8GiB", "500MB", "1024B"; decimal (KB, MB, GB, TB) and binary (KiB, MiB, GiB, TiB) prefixes. A
// bare number is refused, but for 0: its unit would be a guess. Errors: usage.
Result<int64_t> parse_bytes(std::string_view text);

// "3%" or "0.03" -> 0.03. Errors: usage (also when negative, not finite, or 1 and more
// without a percent sign: "3" is hardly meant to be 300 %).
Result<double> parse_ratio(std::string_view text);

// Three significant digits with the unit that fits: 1.23 ms, 45.6 s, 3 min 20 s.
std::string format_duration(Nanoseconds duration);
std::string format_seconds(double seconds);  // the same
// 1.50 GiB, 300 MiB, 12 B.
std::string format_bytes(int64_t bytes);
// Of a level, whose digits all count: 0.95 -> "95 %", 0.9999 -> "99.99 %".
std::string format_level(double ratio);

}  // namespace batchscope::base
