#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/base/subprocess.hpp"
#include "batchscope/cluster/job_file.hpp"

namespace batchscope::cluster {

struct SlurmOptions {
  std::filesystem::path folder;    // of the job, which all nodes see
  std::string program;             // batchscope, as the nodes find it
  int at_once = 0;                 // tasks; 0: as many as Slurm gives
  int blocks_per_task = 1;         // but for the scouts
  std::vector<std::string> flags;  // of the user's, for sbatch
};

// How the launcher reaches Slurm and time passes; tests have their own.
struct Surroundings {
  std::function<base::Result<base::CommandResult>(const std::vector<std::string>& argv)> call;
  std::function<bool(double seconds)> pause;  // false: a stop was asked for
  std::function<void(const std::string& line)> tell;
};

// Has Slurm measure all blocks of the job that have no part yet: an array for the scouts, one after
// it for the rest; what is missing once no task is left is submitted anew, twice. Tasks that an
// earlier call for this folder left are cancelled first, and all when a stop was asked for. Errors:
// usage (Slurm refuses the tasks), input (the scouts measured nothing, or a block was refused),
// failed (blocks are missing in the end), interrupted.
base::Result<void> measure_on_slurm(const SlurmOptions& options, const JobFile& job,
                                    const Surroundings& with);

}  // namespace batchscope::cluster
