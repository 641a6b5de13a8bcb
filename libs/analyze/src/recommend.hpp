#pragma once

#include <optional>

#include "batchscope/analyze/analyze.hpp"
#include "run_view.hpp"

namespace batchscope::analyze {

// The configuration with the highest throughput. Batch sizes of its table that are within 0.5 % of
// it and not told apart from it count as ties, and the smallest is taken. Of several tables only
// those that share model, sequence length and mode with the first compete: the others answer
// another question. `groups` belong to `view.groups`, in order. nullopt without any row.
std::optional<schema::Recommendation> recommend(const RunView& view,
                                                const std::vector<schema::Group>& groups,
                                                const Options& options);

}  // namespace batchscope::analyze
