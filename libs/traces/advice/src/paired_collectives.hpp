#pragma once

#include <cstddef>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"

namespace batchscope::advice {

// One collective as each rank recorded it: an index into the collectives of each.
using PairedCollective = std::vector<size_t>;

// All that every rank recorded, in the order of time: paired by name, and of one name by order.
// Ranks whose recordings begin or end apart hold more of a name than others: those that are too
// many are left out at the end where the others then end together.
std::vector<PairedCollective> paired_collectives(const std::vector<TraceSummary>& ranks);

}  // namespace batchscope::advice
