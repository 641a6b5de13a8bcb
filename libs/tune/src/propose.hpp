#pragma once

#include <optional>
#include <vector>

#include "batchscope/tune/search.hpp"
#include "knowledge.hpp"

namespace batchscope::tune {

// The sizes that a search begins with: of the lane with the most sizes, each about `ratio` times
// the one before, as many as a search of `points` points can afford. By batch size.
std::vector<std::size_t> first_points(const Knowledge& known, int points);

// The new point that is worth measuring most, of a search that may measure `points`; nullopt when
// nothing promises anything. A point was measured.
std::optional<Ask> propose(const Knowledge& known, const SearchOptions& options, int points);

}  // namespace batchscope::tune
