#pragma once

#include <string>
#include <vector>

#include "batchscope/tables/run_view.hpp"

namespace batchscope::analyze {

// What a reader of a run's numbers must know: an unfit machine, points that failed, visits that are
// missing, a file that was cut, what the run could not reach.
std::vector<std::string> warnings_of(const tables::RunView& view);

// The part about the machine: steal, throttling, load of others, clock, other GPU processes.
std::vector<std::string> fitness_warnings(const tables::RunView& view);

}  // namespace batchscope::analyze
