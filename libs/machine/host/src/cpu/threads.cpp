#include "batchscope/host/threads.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/parse_number.hpp"

namespace batchscope::host {
namespace {

struct SlurmShare {
  int cpus = 0;        // for this task, as threads of work
  std::string source;  // "SLURM_CPUS_PER_TASK=8"
};

// The leading number: SLURM_TASKS_PER_NODE is "4(x2),1" on several nodes, and the first entry is
// this node's in a job on one node.
std::optional<int> positive(const ProcessEnvironment& environment, const std::string& name) {
  const auto found = environment.find(name);
  const std::string_view text = found == environment.end() ? std::string_view() : found->second;
  const auto value = base::parse_number<int>(text.substr(0, text.find_first_of("(,")));
  return value && *value > 0 && *value <= 1'000'000 ? value : std::nullopt;
}

std::string shown(const ProcessEnvironment& environment, const std::string& name) {
  return name + '=' + environment.at(name);
}

std::optional<SlurmShare> logical_share(const ProcessEnvironment& environment) {
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

// What a Slurm job gives to one task (srun(1), sbatch(1), "output environment variables"). Absent
// outside a job, and where the variables are not numbers.
std::optional<SlurmShare> slurm_share(const ProcessEnvironment& environment) {
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

struct Limit {
  int threads = 0;
  std::string text;
};

// The first logical CPU of every allowed core, ordered so that neighbours share a node.
std::vector<LogicalCpu> one_per_core(const Topology& topology, const CpuList& affinity) {
  std::set<int> cores;
  std::vector<LogicalCpu> chosen;
  for (const LogicalCpu& cpu : topology.cpus) {
    if (!affinity.empty() && !std::binary_search(affinity.begin(), affinity.end(), cpu.id)) {
      continue;
    }
    if (cores.insert(cpu.core).second) chosen.push_back(cpu);
  }
  std::sort(chosen.begin(), chosen.end(), [](const LogicalCpu& a, const LogicalCpu& b) {
    return std::tie(a.node, a.package, a.id) < std::tie(b.node, b.package, b.id);
  });
  return chosen;
}

Limit core_limit(const Topology& topology, int allowed_cores, const CpuList& affinity) {
  const bool narrowed = !affinity.empty() && allowed_cores < topology.cores;
  if (!narrowed) return {allowed_cores, base::counted(allowed_cores, "physical core")};
  return {allowed_cores, "affinity mask allows " + std::to_string(allowed_cores) + " of " +
                             base::counted(topology.cores, "physical core")};
}

std::vector<Limit> all_limits(const Topology& topology, int cores, const CpuList& affinity,
                              const std::optional<CpuQuota>& quota,
                              const ProcessEnvironment& environment) {
  std::vector<Limit> limits{core_limit(topology, std::max(cores, 1), affinity)};
  if (quota) {
    // Clamped before the conversion: a group may set a quota of any size.
    const double cpus = std::clamp(std::floor(quota->cpus), 1.0, 1e6);
    limits.push_back({static_cast<int>(cpus), "cgroup quota of " +
                                                  fmt::format("{:.2f}", quota->cpus) + " CPUs (" +
                                                  quota->group.string() + ")"});
  }
  if (const auto slurm = slurm_share(environment)) {
    limits.push_back({slurm->cpus, "Slurm allocation (" + slurm->source + ")"});
  }
  return limits;
}

std::string explain(const std::vector<Limit>& limits, const Limit& tightest) {
  std::string reason = base::counted(tightest.threads, "thread") + ": " + tightest.text;
  for (const Limit& limit : limits) reason += &limit == &tightest ? "" : "; " + limit.text;
  return reason;
}

}  // namespace

ProcessEnvironment current_environment() {
  ProcessEnvironment environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

ThreadChoice default_threads(const Topology& topology, const CpuList& affinity,
                             const std::optional<CpuQuota>& quota,
                             const ProcessEnvironment& environment) {
  const std::vector<LogicalCpu> cores = one_per_core(topology, affinity);
  const auto limits =
      all_limits(topology, static_cast<int>(cores.size()), affinity, quota, environment);
  const Limit& tightest =
      *std::min_element(limits.begin(), limits.end(),
                        [](const Limit& a, const Limit& b) { return a.threads < b.threads; });
  ThreadChoice choice{tightest.threads, explain(limits, tightest), {}};
  for (const LogicalCpu& cpu : cores) {
    if (choice.cpus.size() == static_cast<size_t>(choice.threads)) break;
    choice.cpus.push_back(cpu.id);
  }
  return choice;
}

ThreadChoice default_threads(const base::SystemRoot& root) {
  const Cgroups cgroups = find_cgroups(root);
  return default_threads(read_topology(root), current_affinity(), read_cpu_quota(root, cgroups),
                         current_environment());
}

}  // namespace batchscope::host
