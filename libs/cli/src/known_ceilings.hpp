#pragma once

#include "batchscope/measure/session.hpp"
#include "tune_flags.hpp"

namespace batchscope::cli {

// Takes out of a new job the sizes that ran out of memory in any run under the same memory limit or
// a larger one, and all above them, and notes in its header which. Errors: input (the ceilings'
// file cannot be read); usage, when nothing is left.
base::Result<void> leave_out_ceilings(const TuneFlags& flags, measure::Job& job);

}  // namespace batchscope::cli
