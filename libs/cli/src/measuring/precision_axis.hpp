#pragma once

#include "batchscope/study/job.hpp"

namespace batchscope::cli {

// --precision auto: the precisions that the request's devices have instructions for, and a note
// that says which. Which is best, and whether it computes and trains like fp32, is measured.
void choose_precisions(study::ProfileRequest& request);

}  // namespace batchscope::cli
