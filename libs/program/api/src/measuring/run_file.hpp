#pragma once

#include "batchscope/api/measure_options.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/measure/run_output.hpp"

namespace batchscope::api {

// Holds the run file for this process, before anything takes time. Errors: usage (it exists and may
// not be replaced), failed (another run writes it, or nobody can).
base::Result<measure::RunOutput> take_run_file(const RunFileOptions& file);

// Whether a run that could not be had by take_run_file may all the same be looked at: a complete
// one is shown from a file that cannot be written.
bool can_only_be_read(const RunFileOptions& file);

}  // namespace batchscope::api
