#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {

bool is_integer(DType dtype);

// "LOW-HIGH" or one number into the spec, whose type is known; what is wrong with it, if anything:
// a value that the type cannot hold is named with the values that it can.
std::optional<std::string> read_values(std::string_view values, InputSpec& spec);

// A whole number from low to high, both included, out of a draw: also of ranges for which
// high - low is more than an int64_t holds.
int64_t within(int64_t low, int64_t high, uint64_t drawn);

// The range that integers are drawn from: 0 and 1, unless the spec says otherwise.
std::pair<int64_t, int64_t> integer_range(const InputSpec& spec);

}  // namespace batchscope::engine
