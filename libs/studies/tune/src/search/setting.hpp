#pragma once

#include <vector>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::tune {

// Whether every point takes as many samples a step, in batches of its own size:
// the accumulation then follows from the batch size, and is nothing to choose.
bool keeps_step(const std::vector<schema::RunConfig>& grid);

// What points that differ in batch size only have in common, with the accumulation where that is a
// choice.
schema::RunConfig setting_of(const schema::RunConfig& config, bool keeps_step);

}  // namespace batchscope::tune
