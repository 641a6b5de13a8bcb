#pragma once

#include <vector>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::timing {

// Whether the visit is of a configuration of the run.
bool is_known(const schema::Visit& visit, const schema::RunFile& run);

// Whether it has samples, and none that no iteration can take.
bool is_timed(const schema::Visit& visit);

// Visits that were too short to tell count no more, once enough of those that replace them are
// made.
void leave_to_longer(std::vector<const schema::Visit*>& visits);

}  // namespace batchscope::timing
