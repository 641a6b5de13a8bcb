#pragma once

#include <optional>
#include <vector>

#include "batchscope/tune/search.hpp"
#include "knowledge.hpp"

namespace batchscope::tune {

// The sizes that a search begins with: of the lane with the most sizes, each about `ratio` times
// the one before, as many as a search of `points` points can afford. By batch size.
std::vector<std::size_t> first_points(const Knowledge& known, int points);

// Of the sizes that a search begins with, the next: ascending and one by one, so that where memory
// is out or time would be, nothing larger is tried.
std::optional<Suggestion> begin_with(const Knowledge& known, int points, const TimeBudget& purse);

// The new point that is worth measuring most for what it costs, of a search that may measure
// `points`; nullopt when nothing promises anything. A point was measured.
std::optional<Suggestion> propose(const Knowledge& known, const SearchOptions& options, int points,
                                  const TimeBudget& purse);
// The same of a search that has measured as many: only what is expected to gain.
std::optional<Suggestion> propose_more(const Knowledge& known, const TimeBudget& purse);

}  // namespace batchscope::tune
