#pragma once

#include <span>
#include <string>
#include <string_view>

namespace batchscope::base {

// The name that was probably meant by `typed`: the one the fewest slips away (a letter left out,
// added or replaced, two letters swapped; capitals do not count), at most one slip for each three
// letters; else the shortest that begins with it. The first of several; empty where none is near.
std::string nearest_name(std::string_view typed, std::span<const std::string> names);

// "did you mean NAME? ", or nothing: to stand before what else mends a name that nobody knows.
std::string did_you_mean(std::string_view typed, std::span<const std::string> names);

}  // namespace batchscope::base
