#pragma once

#include <vector>

#include "batchscope/findings/finding.hpp"
#include "batchscope/findings/recommendation.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::tables {

// The sizes of a table of which nothing is recommended, ascending, with the reason as
// findings::LeftOut has it: those that failed twice, which is when measuring gives them up (also
// where no visit of them ended well), those with less than half the visits of the fullest, and
// those most of whose visits may still hold warm-up.
std::vector<findings::Exclusion> set_aside(const RunView& view, const GroupData& group);

// Whether the size is among them.
bool is_set_aside(const std::vector<findings::Exclusion>& sizes, int64_t batch_size);

}  // namespace batchscope::tables
