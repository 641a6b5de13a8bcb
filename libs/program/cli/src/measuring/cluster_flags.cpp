#include "cluster_flags.hpp"

#include <CLI/CLI.hpp>

namespace batchscope::cli {

void add_cluster(CLI::App& app, ClusterFlags& flags) {
  const std::string group = "On a cluster";
  app.add_option("--job", flags.job,
                 "folder of a job; without --launcher only write it: its blocks can be measured on "
                 "any machines (needs --blocks)")
      ->type_name("DIR")
      ->group(group);
  CLI::Option* const launcher =
      app.add_option("--launcher", flags.launcher,
                     "have the blocks measured by a cluster: slurm, or kubernetes with --print "
                     "(needs --blocks and --threads)")
          ->type_name("slurm|kubernetes")
          ->check(CLI::IsMember({"slurm", "kubernetes"}))
          ->group(group);
  app.add_option("--at-once", flags.at_once, "tasks that may run at once (default: no limit)")
      ->check(CLI::PositiveNumber)
      ->needs(launcher)
      ->group(group);
  app.add_option("--blocks-per-task", flags.blocks_per_task, "blocks that a task makes (default 1)")
      ->check(CLI::PositiveNumber)
      ->needs(launcher)
      ->group(group);
  app.add_option("--slurm", flags.slurm,
                 "flags for sbatch, such as --slurm=\"--partition=long --time=2:00:00\"")
      ->type_name("FLAGS")
      ->needs(launcher)
      ->group(group);
  app.add_flag("--print", flags.print, "print the manifests for kubectl instead of running them")
      ->needs(launcher)
      ->group(group);
}

}  // namespace batchscope::cli
