#pragma once

#include <filesystem>
#include <string_view>

#include "batchscope/api/measured_run.hpp"
#include "batchscope/base/log.hpp"
#include "batchscope/base/result.hpp"
#include "output.hpp"

namespace batchscope::cli {

// The run file of a verb: `otherwise` where none was named. Errors: usage, for standard output.
base::Result<void> choose_run_file(Output& output, std::string_view otherwise);

// Says what an interrupted run leaves: how to go on with it, or that there is nothing.
void warn_of_interruption(const api::MeasuredRun& made, const std::filesystem::path& path,
                          const base::Log& log);

}  // namespace batchscope::cli
