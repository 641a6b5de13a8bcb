#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "batchscope/findings/finding.hpp"

namespace batchscope::schema {
struct RunConfig;
}  // namespace batchscope::schema

namespace batchscope::findings {

// A share or a change, rounded for a reader: 0.123 -> "12 %", 0.034 -> "3.4 %", 0 -> "0 %"; the
// sign is kept. What is not 0 but would round to it is "< 0.1 %", or "> -0.1 %"; what is no number
// is "– %". Not for what somebody has set, which is said as it was typed: base::format_level.
std::string percent(double ratio);
// {0.09, 0.15} -> "9.0 to 15 %". An end near 0 keeps its sign: it tells on which side the end is.
std::string percent_range(const stats::Interval& interval);
// " (CI 9.0 to 15 %)", or nothing without one.
std::string in_interval(const std::optional<stats::Interval>& interval);
// How far numbers such as losses or outputs are apart, over one of them: 2.8e-05 -> "2.8e-5",
// 0.0312 -> "0.031", 0 -> "0". Two digits, and no percentage: these are no shares of a time, and
// mostly far below any.
std::string relative_difference(double ratio);
// {2, 4, 8} -> "2, 4 and 8"; with "or": "2, 4 or 8"; many as ranges: "1-12 and 16".
std::string list(std::span<const int64_t> values, const char* last = "and");
// "12.3 ms" with three significant digits.
std::string milliseconds(double ms);
std::string milliseconds_of(int64_t ns);
// Three significant digits, never in exponent form.
std::string three_digits(double value);
// "batch 4", or "batches 2 and 4".
std::string batches(std::span<const int64_t> sizes, const char* last = "and");

// With as many digits as the interval allows, at most four: two of its half-width; three without.
std::string by_interval(const Estimate& estimate);
// "17 % more", "3.2 % less"; from twice as much on "2.1 times as much".
std::string more_or_less(double ratio);
// The same of what is counted: "17 % more", "3.2 % fewer", "2.1 times as many".
std::string more_or_fewer(double ratio);
// The interval that goes with it: "14 to 20 %", "2.0 to 2.2 times".
std::string more_or_less_range(double ratio, const stats::Interval& interval);

// A time over another, as a change of time: 1.26 -> "26 % longer", 0.97 -> "3.0 % less time", and
// from 1.5 times as fast on 0.2 -> "80 % less time (5.0 times as fast)": never a share of speed.
std::string change_of_time(double ratio);

// What all sizes of a table share: "distilbert, 64 tokens, fp32, cpu, 2 threads"; leaves out what
// is at its default (1 instance, inference).
std::string label(const schema::RunConfig& key);

}  // namespace batchscope::findings
