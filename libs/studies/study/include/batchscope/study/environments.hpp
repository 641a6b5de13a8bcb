#pragma once

#include <span>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/axes.hpp"

namespace batchscope::study {

// The environments to compare, as they are typed, a variable with its values a text:
// "MALLOC_ARENA_MAX=1,2", or "LD_PRELOAD=,libjemalloc.so", where nothing leaves it as it is. A
// comma that belongs to a value has a backslash before it. Result: every combination; none where
// nothing is typed. Errors: usage (no name or value, or one that is named twice).
base::Result<std::vector<schema::Environment>> parse_environments(
    std::span<const std::string> typed);

// The same of a factory's own values: "width=256,512".
base::Result<std::vector<schema::Environment>> parse_params(std::span<const std::string> typed);

// One environment, as it is typed alike with one value a variable. Errors: usage.
base::Result<schema::Environment> parse_environment(std::span<const std::string> typed);

}  // namespace batchscope::study
