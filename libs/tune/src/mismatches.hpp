#pragma once

#include "batchscope/schema/run_file.hpp"
#include "batchscope/tune/search.hpp"

namespace batchscope::tune {

// Leaves out what does not do what the default does, as far as the run recorded it: other engines
// and precisions whose outputs or losses are not equivalent (compare::find_mismatch).
void leave_out_mismatches(const schema::RunFile& run, Search& search);

}  // namespace batchscope::tune
