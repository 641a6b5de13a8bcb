#pragma once

#include <filesystem>

#include "batchscope/base/result.hpp"
#include "batchscope/cluster/job_file.hpp"

// A block that trying again does not help says so beside the parts, so that who waits for it learns
// it at once.
namespace batchscope::cluster {

// Says it, where the folder holds a job.
void tell_refusal(const std::filesystem::path& folder, int block, const base::Error& why);
// Errors: input, of the first block that refused.
base::Result<void> find_refusal(const std::filesystem::path& folder, const JobFile& job);
void forget_refusals(const std::filesystem::path& folder);

}  // namespace batchscope::cluster
