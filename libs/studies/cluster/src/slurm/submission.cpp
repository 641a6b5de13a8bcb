#include "submission.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "batchscope/base/strings.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/host/cpu_list.hpp"
#include "resources.hpp"

namespace batchscope::cluster {
namespace {

bool asks_for_gpus(const std::vector<std::string>& flags) {
  return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return base::contains_text(flag, "gpu") || base::contains_text(flag, "gres");
  });
}

bool are_scouts(const std::vector<int>& blocks) {
  return blocks.front() < kScouts;
}

bool one_a_task(const SlurmOptions& options, const std::vector<int>& blocks) {
  return options.blocks_per_task == 1 || are_scouts(blocks);
}

std::vector<std::vector<int>> grouped(const std::vector<int>& blocks, int size) {
  std::vector<std::vector<int>> groups;
  for (const int block : blocks) {
    if (groups.empty() || std::ssize(groups.back()) == size) groups.emplace_back();
    groups.back().push_back(block);
  }
  return groups;
}

// The numbers of the tasks, and what each of them runs.
struct Tasks {
  std::string array;
  std::string script;
};

Tasks tasks_for(const SlurmOptions& options, const std::vector<int>& blocks) {
  const std::vector<std::string> words = {"exec", options.program, "block",
                                          options.folder.string()};
  const std::string call = findings::shell_command(words);
  if (one_a_task(options, blocks)) {
    return {host::format_cpu_list(blocks), call + " $SLURM_ARRAY_TASK_ID"};
  }
  const auto groups = grouped(blocks, options.blocks_per_task);
  std::string script = "case $SLURM_ARRAY_TASK_ID in\n";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    script += fmt::format("{}) {} {};;\n", i, call, fmt::join(groups[i], " "));
  }
  return {fmt::format("0-{}", groups.size() - 1), script + "esac"};
}

}  // namespace

std::string array_name(const std::filesystem::path& folder) {
  return fmt::format("batchscope-{:016x}",
                     std::hash<std::string>{}(std::filesystem::absolute(folder).string()));
}

std::filesystem::path log_path(const SlurmOptions& options, int block) {
  const bool alone = one_a_task(options, {block});
  return options.folder / "logs" /
         (alone ? fmt::format("{}.log", block) : std::string("tasks.log"));
}

std::vector<std::string> sbatch_line(const SlurmOptions& options, const JobFile& job,
                                     const std::string& name, const std::vector<int>& blocks,
                                     const std::string& after) {
  const Tasks tasks = tasks_for(options, blocks);
  const std::string limit = options.at_once > 0 ? fmt::format("%{}", options.at_once) : "";
  const std::string log = one_a_task(options, blocks) ? "%a.log" : "tasks.log";
  const bool cpu_alone = on_cpu_alone(job);
  std::vector<std::string> line = {
      "sbatch",
      "--parsable",
      "--job-name=" + name,
      fmt::format("--array={}{}", tasks.array, limit),
      fmt::format("--output={}", (options.folder / "logs" / log).string()),
      "--open-mode=append",
      fmt::format("--cpus-per-task={}", cpus_of(job))};
  if (cpu_alone) line.emplace_back("--exclusive");
  if (!cpu_alone && !asks_for_gpus(options.flags)) line.emplace_back("--gres=gpu:1");
  if (!after.empty()) line.push_back("--dependency=afterany:" + after);
  line.insert(line.end(), options.flags.begin(), options.flags.end());
  line.push_back("--wrap=" + tasks.script);
  return line;
}

base::Error refused_by_slurm(std::string_view words) {
  const bool too_many = base::contains_text(words, "array");
  return {base::ErrorKind::usage, "Slurm refuses the tasks: " + std::string(base::trim(words)),
          "--launcher slurm",
          too_many ? "add --blocks-per-task 10, or more: the array has too many tasks"
                   : "correct it with --slurm=\"FLAGS OF SBATCH\""};
}

}  // namespace batchscope::cluster
