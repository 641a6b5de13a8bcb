#pragma once

#include <cstddef>
#include <vector>

#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// Whether what begins at each of the places repeats at top level, as steps do, and not within one
// thing, as layers do. The host tells where it has ranges or modules: none holds the starts of two.
// Where it has none, what lies before the first and behind the last must be parts of what repeats.
// `kernels`: rows of a stream in the order of time; `places`: indices into them, at least two.
bool repeats_at_top_level(const trace::Trace& trace, const std::vector<size_t>& kernels,
                          const std::vector<size_t>& places);

}  // namespace batchscope::attribution
