#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "batchscope/trace/activity.hpp"

namespace batchscope::trace {

// Sorts rows by track, then by start, the longer first; names break ties, so that the order of the
// file does not show. Where the rows of each track begin, and where the last ends.
std::vector<size_t> sort_rows(ActivityTable& rows, const std::vector<std::string>& names,
                              size_t tracks, int threads);

}  // namespace batchscope::trace
