#pragma once

#include <vector>

#include "open_comparison.hpp"

namespace batchscope::analyze {

// Configurations that train on as many samples a step with another number of batches: each is
// compared with the one that takes the fewest batches, paired within blocks.
void compare_accumulations(const RunView& view, const TestOptions& options, std::vector<Open>& all);

}  // namespace batchscope::analyze
