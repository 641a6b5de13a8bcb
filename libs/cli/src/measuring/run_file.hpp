#pragma once

#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/measure/run_output.hpp"
#include "output.hpp"

namespace batchscope::cli {

// The run file of a verb: `otherwise` where none was named. Errors: usage, for standard output.
base::Result<void> choose_run_file(Output& output, std::string_view otherwise);

// Holds it for this process, before anything takes time. `goes_on`: with what is in it. Errors:
// usage (it exists and may not be replaced), failed (another run writes it, or nobody can).
base::Result<measure::RunOutput> take_run_file(const Output& output, bool goes_on);

// Whether a run that could not be had by take_run_file may all the same be looked at: a complete
// one is shown from a file that cannot be written.
bool can_only_be_read(const Output& output, bool goes_on);

}  // namespace batchscope::cli
