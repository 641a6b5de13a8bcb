#pragma once

#include <cstddef>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"

namespace batchscope::advice {

// One collective as each rank of its group recorded it, in the order of the ranks; two at least.
struct PairedCollective {
  struct Member {
    size_t rank = 0;
    size_t index = 0;  // into the collectives of that rank
  };
  std::vector<Member> members;
};

// In the order of time: paired by group and name, and of one name by order. Where no group is said,
// all that every rank recorded.
// Ranks whose recordings begin or end apart hold more of a name than others: those that are too
// many are left out at the end where the others then end together.
std::vector<PairedCollective> paired_collectives(const std::vector<TraceSummary>& ranks);

}  // namespace batchscope::advice
