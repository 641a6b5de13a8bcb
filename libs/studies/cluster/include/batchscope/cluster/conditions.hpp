#pragma once

#include <map>
#include <string>
#include <vector>

#include "batchscope/base/system_root.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/schema/run_file.hpp"

// The conditions that a block is measured under, which its engine (Slurm, Ray, Dask, ...) may have
// changed.
namespace batchscope::cluster {

// Of this process, those that change the times of models: OMP_NUM_THREADS, GLIBC_TUNABLES, ...
std::map<std::string, std::string> timing_variables();
// Sets these and removes the others of that kind; to be called before there are threads.
void set_timing_variables(const std::map<std::string, std::string>& wanted);
// SIGINT and SIGTERM reach this process, and the kernel's OOM killer treats it like any other.
void reset_process(const base::SystemRoot& root);

// This machine, under the name that its cluster gives it. `versions`: of the engines.
schema::Node this_node(const base::SystemRoot& root, const gpu::Gpus& gpus,
                       std::map<std::string, std::string> versions);

// Where a block of these configurations runs: devices by UUID, CPUs, the engine's job, and what it
// made of this process. Block, node and times are left to fill in.
schema::Placement placement_here(const base::SystemRoot& root, const gpu::Gpus& gpus,
                                 const std::vector<schema::RunConfig>& configs);

// What of it makes times worth less.
std::vector<schema::Event> warnings_of(const schema::Placement& placement);

}  // namespace batchscope::cluster
