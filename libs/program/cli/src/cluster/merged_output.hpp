#pragma once

#include <filesystem>

#include "batchscope/base/log.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/cluster/job_file.hpp"
#include "output.hpp"

namespace batchscope::cli {

// Parts are merged again and again; other files are not replaced. Errors: usage.
base::Result<void> check_replaces_merged(const Output& output);

// Merges what parts the job has, and says what is missing. Errors: those of cluster::merge; failed.
base::Result<void> write_merged(const std::filesystem::path& folder, const cluster::JobFile& job,
                                const Output& output, const base::Log& log);

}  // namespace batchscope::cli
