#include "slurm.hpp"

#include <algorithm>

#include "batchscope/base/parse_number.hpp"

namespace batchscope::device {
namespace {

// The leading number: SLURM_TASKS_PER_NODE is "4(x2),1" on several nodes, and the first entry is
// this node's in a job on one node.
std::optional<int> positive(const Environment& environment, const std::string& name) {
  const auto found = environment.find(name);
  const std::string_view text = found == environment.end() ? std::string_view() : found->second;
  const auto value = base::parse_number<int>(text.substr(0, text.find_first_of("(,")));
  return value && *value > 0 && *value <= 1'000'000 ? value : std::nullopt;
}

std::string shown(const Environment& environment, const std::string& name) {
  return name + '=' + environment.at(name);
}

std::optional<SlurmShare> logical_share(const Environment& environment) {
  if (const auto per_task = positive(environment, "SLURM_CPUS_PER_TASK")) {
    return SlurmShare{*per_task, shown(environment, "SLURM_CPUS_PER_TASK")};
  }
  const auto on_node = positive(environment, "SLURM_CPUS_ON_NODE");
  if (!on_node) return std::nullopt;
  SlurmShare share{*on_node, shown(environment, "SLURM_CPUS_ON_NODE")};
  for (const char* name : {"SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"}) {
    const auto tasks = positive(environment, name);
    if (!tasks) continue;
    share.cpus = std::max(1, share.cpus / *tasks);
    share.source += ", " + shown(environment, name);
    break;
  }
  return share;
}

}  // namespace

std::optional<SlurmShare> slurm_share(const Environment& environment) {
  auto share = logical_share(environment);
  if (!share) return std::nullopt;
  // Set only when the job asked for it; then Slurm's CPUs are hardware threads. Otherwise whether
  // they are depends on the site, and the affinity mask that Slurm sets is the better witness.
  const auto per_core = positive(environment, "SLURM_THREADS_PER_CORE");
  if (per_core && *per_core > 1) {
    share->cpus = std::max(1, share->cpus / *per_core);
    share->source += ", " + shown(environment, "SLURM_THREADS_PER_CORE");
  }
  return share;
}

}  // namespace batchscope::device
