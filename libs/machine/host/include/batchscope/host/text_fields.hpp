#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace batchscope::host {

// The small text formats of /proc and /sys, for whoever reads the machine. Everything returns views
// into its argument.

// Fields between runs of spaces and tabs.
std::vector<std::string_view> split_fields(std::string_view line);

// The whole text as a decimal integer; absent for anything else, also when it does not fit.
std::optional<int64_t> parse_integer(std::string_view text);

// The rest of the first line that starts with `key` followed by white space or ':', trimmed:
// "nr_throttled 5", "MemTotal:  123 kB", "model name\t: X". Absent when no line does.
std::optional<std::string_view> find_value(std::string_view text, std::string_view key);
// The same as a number, a unit behind it ("123 kB") left out.
std::optional<int64_t> find_number(std::string_view text, std::string_view key);

}  // namespace batchscope::host
