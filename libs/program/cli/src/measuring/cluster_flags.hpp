#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace batchscope::cli {

// Of `profile` on a cluster, as typed; empty: not typed.
struct ClusterFlags {
  std::string job;
  std::string launcher;
  std::string slurm;
  int at_once = 0;
  int blocks_per_task = 1;
  bool print = false;

  bool measures_elsewhere() const { return !job.empty() || !launcher.empty(); }
};

void add_cluster(CLI::App& app, ClusterFlags& flags);

}  // namespace batchscope::cli
