#pragma once

#include "batchscope/schema/run_file.hpp"

namespace batchscope::timing {

// Whether the visit is of a configuration of the run.
bool is_known(const schema::Visit& visit, const schema::RunFile& run);

// Whether it has samples, and none that no iteration can take.
bool is_timed(const schema::Visit& visit);

}  // namespace batchscope::timing
