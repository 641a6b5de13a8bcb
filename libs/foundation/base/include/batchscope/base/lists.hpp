#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::base {

// The grammar of every numeric axis: comma-separated items, each `n`, `a-b` (step 1), `a-b+s`
// (arithmetic) or `a-b*f` (geometric, rounded, b included when it is reached). "1,2,4"; "1-8";
// "1-64+8"; "1-128*2". Result: positive integers in the order given, duplicates removed. Errors:
// usage; `a:b` is refused by name, because other tools read it in two different ways.
Result<std::vector<int64_t>> parse_integers(std::string_view text);

// The other way round, for people: runs of three and more as "a-b", in the order given.
// {1, 2, 3, 4, 8} -> "1-4", "8".
std::vector<std::string> format_integers(std::span<const int64_t> values);

// Comma-separated names, trimmed, in order, duplicates removed. Errors: usage when one is empty.
Result<std::vector<std::string>> parse_names(std::string_view text);

}  // namespace batchscope::base
