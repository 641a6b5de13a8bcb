#pragma once

#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::analyze {

// The configuration with the highest throughput, for each work (model, sequence length and mode;
// see axes.hpp) in the order of the tables. Batch sizes of its table that are within 0.5 % of it
// and not told apart from it count as ties, and the smallest is taken. Only configurations within
// the bounds of the options or the plan are chosen from; where none is, the nearest is named as not
// feasible. `groups` belong to `view.groups`, in order. Empty without any row.
std::vector<findings::Recommendation> recommend(const tables::RunView& view,
                                                const std::vector<findings::Group>& groups,
                                                const Options& options);

}  // namespace batchscope::analyze
