#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/system_root.hpp"
#include "batchscope/engine/install_paths.hpp"
#include "batchscope/measure/executor.hpp"
#include "batchscope/measure/fitness_probe.hpp"

namespace batchscope::measure {

struct ProcessOptions {
  std::vector<std::string> worker_argv;  // program and verb: {"/usr/bin/batchscope", "worker"}
  // What is started instead for visits of these engines, by name; it can load the others too.
  std::map<std::string, std::vector<std::string>> workers_of{};
  bool one_process_a_block = false;           // isolation block; else a fresh process a visit
  int64_t timeout_ns = 120'000'000'000;       // a visit's deadline
  std::optional<int64_t> memory_limit_bytes;  // of each worker
  base::SystemRoot root;                      // where limits are set
  // Logical CPUs to pin several instances to, one of each physical core; empty: not pinned. One
  // instance alone runs where this process may.
  std::vector<int> cpus;
  FitnessProbe* fitness = nullptr;  // absent: fitness is not recorded
  engine::InstallPaths places{};    // of plugins, which say what environment they need
};

// Workers as separate processes that run worker_main. A worker that crashes, hangs past the
// deadline or runs out of memory costs its visit only; under isolation block the rest of the block
// goes on in a new one. Time: the engine's clock for iterations, this process's for the whole
// visit, except that a visit in virtual time lasts as long as its worker says.
std::unique_ptr<VisitExecutor> make_process_executor(ProcessOptions options);

// How a memory limit of so many bytes would be enforced here: "cgroup-v2", "rlimit-data", for
// schema::MeasurementPlan::memory_limit_kind, with the line that tells why.
struct MemoryLimitChoice {
  std::string kind;
  std::string explanation;
};
MemoryLimitChoice choose_memory_limit(const base::SystemRoot& root, int64_t bytes);

}  // namespace batchscope::measure
