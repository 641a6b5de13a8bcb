#pragma once

#include <vector>

#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::tables {

// The environments that a run was to measure, each once, in the order of the file: those of the
// configurations that it began with. What looks for causes adds others later,
// which are no choice of anybody. Of files that do not say how many configurations they began with:
// those of visits made to measure.
std::vector<schema::Environment> planned_environments(const schema::RunFile& run);

// The one with the fewest variables, of several the first: what experiments start from. Empty for a
// run without configurations.
schema::Environment plainest_environment(const schema::RunFile& run);

}  // namespace batchscope::tables
