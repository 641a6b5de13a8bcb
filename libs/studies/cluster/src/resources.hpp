#pragma once

#include <cstdint>

#include "batchscope/cluster/job_file.hpp"

namespace batchscope::cluster {

// What a block needs of a node.
bool on_cpu_alone(const JobFile& job);
int64_t cpus_of(const JobFile& job);

}  // namespace batchscope::cluster
