#pragma once

#include <vector>

#include "batchscope/findings/summary.hpp"
#include "open_comparison.hpp"

namespace batchscope::analyze {

// Configurations that train on as many samples a step with another number of batches: each is
// compared with the one that takes the fewest batches, paired within blocks.
void compare_accumulations(const RunView& view, const Options& options, std::vector<Open>& all);

// What each way to make a step of so many samples does a second and how much memory it takes, one
// finding for each number of samples that was made in more than one way.
std::vector<findings::Finding> accumulation_findings(const findings::Summary& summary);

}  // namespace batchscope::analyze
