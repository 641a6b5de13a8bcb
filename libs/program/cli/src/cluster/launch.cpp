#include "launch.hpp"

#include <chrono>

#include "batchscope/api/cluster.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/subprocess.hpp"
#include "batchscope/base/waitable_clock.hpp"
#include "batchscope/cluster/kubernetes.hpp"
#include "batchscope/cluster/slurm.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "merged_output.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
namespace fs = std::filesystem;

constexpr auto kLongestCall = std::chrono::minutes(2);  // of a program of Slurm

fs::path folder_of(const ProfileFlags& flags) {
  if (!flags.cluster.job.empty()) return fs::absolute(flags.cluster.job);
  return fs::absolute(fs::path(flags.output.path).replace_extension(".job"));
}

Result<void> check_launcher(const api::MeasureOptions& options, const ClusterFlags& flags) {
  if (!options.request.axes_as_typed.contains("threads")) {
    return Error{ErrorKind::usage, "the nodes may have other cores than this machine",
                 "--launcher " + flags.launcher, "add --threads, as many as a node is to use"};
  }
  if (flags.launcher == "kubernetes") {
    if (flags.print && !flags.job.empty()) return {};
    return Error{ErrorKind::usage, "manifests of a job are only printed", "--launcher kubernetes",
                 "add --print, and --job with a folder that goes onto their volume"};
  }
  if (base::find_program("sbatch")) return {};
  return Error{ErrorKind::failed, "sbatch is not installed here", "--launcher slurm",
               "run this where Slurm takes jobs, or use --job and run the blocks yourself"};
}

cluster::SlurmOptions slurm_options(const ClusterFlags& flags, const fs::path& folder,
                                    const std::string& program) {
  cluster::SlurmOptions options;
  options.folder = folder;
  options.program = program;
  options.at_once = flags.at_once;
  options.blocks_per_task = flags.blocks_per_task;
  for (const auto word : base::split(flags.slurm, ' ')) {
    if (!word.empty()) options.flags.emplace_back(word);
  }
  return options;
}

Result<void> measure_and_merge(const api::Program& program, const cluster::JobFile& job,
                               const fs::path& folder, const ProfileFlags& flags,
                               const base::Log& log) {
  const cluster::Surroundings with{[](const std::vector<std::string>& argv) {
                                     return base::run_command(argv, "", kLongestCall);
                                   },
                                   [&](double seconds) {
                                     return base::pause(program.stop,
                                                        std::chrono::duration<double>(seconds));
                                   },
                                   [&](const std::string& line) { log.info(line); }};
  const auto options = slurm_options(flags.cluster, folder, program.worker);
  const auto measured = cluster::measure_on_slurm(options, job, with);
  const auto merged = write_merged(folder, job, flags.output, log);
  return measured ? merged : measured;
}

std::string printed(const ClusterFlags& flags, const cluster::JobFile& job) {
  if (flags.launcher.empty()) return cluster::how_to_run(flags.job, job);
  const std::string name = fs::path(flags.job).filename().string();
  return cluster::kubernetes_manifests({name, flags.at_once}, job);
}

}  // namespace

int profile_on_cluster(const api::MeasureOptions& options, const ProfileFlags& flags,
                       const base::Log& log) {
  const bool launches = flags.cluster.launcher == "slurm";
  if (!flags.cluster.launcher.empty()) {
    if (auto can = check_launcher(options, flags.cluster); !can) return fail(log, can.error());
  }
  if (launches) {
    auto replaces = check_replaces_merged(flags.output);
    if (!replaces) return fail(log, replaces.error());
  }
  Interrupt interrupt(log);
  const api::Program program =
      with_interpreter(telling(this_program(interrupt), log), flags.python);
  const fs::path folder = folder_of(flags);
  const auto job = api::make_job(program, options, folder);
  if (!job) return fail(log, job.error());
  Result<void> done;
  if (launches) {
    interrupt.watch();
    done = measure_and_merge(program, *job, folder, flags, log);
  } else {
    done = write_output({}, printed(flags.cluster, *job));
  }
  return done ? static_cast<int>(kDone) : fail(log, done.error());
}

}  // namespace batchscope::cli
