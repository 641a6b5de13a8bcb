#pragma once

#include <string>
#include <vector>

#include "batchscope/base/log.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/schema/run_file.hpp"
#include "output.hpp"

namespace batchscope::cli {

// Errors: input (not a run file, or one without measurements).
base::Result<std::vector<schema::RunFile>> read_runs(const std::vector<std::string>& paths);
// Errors: usage (the output exists, or is one of the inputs).
base::Result<void> check_outputs(const Output& output, const std::vector<std::string>& inputs);
// Independent samples are assumed of several files; one file twice would be certain of itself.
void warn_of_repeats(const std::vector<std::string>& paths, const base::Log& log);

}  // namespace batchscope::cli
