#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/cluster/slurm.hpp"

namespace batchscope::cluster {

// What all tasks of the job in this folder are called, so that those of a launcher that was killed
// are found again.
std::string array_name(const std::filesystem::path& folder);

// The command that submits these blocks as one array. `after`: of the array that is to end before;
// empty: none.
std::vector<std::string> sbatch_line(const SlurmOptions& options, const JobFile& job,
                                     const std::string& name, const std::vector<int>& blocks,
                                     const std::string& after);

// Where a block's task writes what it has to say.
std::filesystem::path log_path(const SlurmOptions& options, int block);

// Why sbatch refuses, in its own words.
base::Error refused_by_slurm(std::string_view words);

}  // namespace batchscope::cluster
