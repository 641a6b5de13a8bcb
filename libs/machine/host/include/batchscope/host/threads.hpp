#pragma once

#include <map>
#include <optional>
#include <string>

#include "batchscope/host/cgroup.hpp"
#include "batchscope/host/cpu_list.hpp"
#include "batchscope/host/topology.hpp"

namespace batchscope::host {

using ProcessEnvironment = std::map<std::string, std::string>;

// The calling process's environment variables.
ProcessEnvironment current_environment();

struct ThreadChoice {
  int threads = 1;
  std::string reason;  // one line: what set the number, with the other limits that were looked at
  CpuList cpus;        // to pin them to: one logical CPU a physical core, `threads` of them
};

// How many threads a model gets unless the user says: the physical cores among the CPUs of the
// affinity mask (empty = all), at most the cgroup's CPU quota rounded down (a thread more would be
// throttled), at most what Slurm gave this task, at least 1. CPUs are taken node by node, so that
// few threads share one NUMA node.
ThreadChoice default_threads(const Topology& topology, const CpuList& affinity,
                             const std::optional<CpuQuota>& quota,
                             const ProcessEnvironment& environment);

// The same for the calling process.
ThreadChoice default_threads(const base::SystemRoot& root);

}  // namespace batchscope::host
