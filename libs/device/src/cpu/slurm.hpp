#pragma once

#include <optional>
#include <string>

#include "batchscope/device/threads.hpp"

namespace batchscope::device {

struct SlurmShare {
  int cpus = 0;        // for this task, as threads of work
  std::string source;  // "SLURM_CPUS_PER_TASK=8"
};

// What a Slurm job gives to one task (srun(1), sbatch(1), "output environment variables"). Absent
// outside a job, and where the variables are not numbers.
std::optional<SlurmShare> slurm_share(const Environment& environment);

}  // namespace batchscope::device
