#pragma once

#include <vector>

#include "open_comparison.hpp"

namespace batchscope::compare {

// Configurations that train on as many samples a step with another number of batches: each is
// compared with the one that takes the fewest batches, paired within blocks.
void compare_accumulations(const tables::RunView& view, const tables::TestOptions& options,
                           std::vector<Open>& all);

}  // namespace batchscope::compare
