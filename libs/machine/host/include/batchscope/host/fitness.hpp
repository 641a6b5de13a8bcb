#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/system_root.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/host/cgroup.hpp"
#include "batchscope/host/cpu_list.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::host {

// One reading of everything that says whether the machine is fit to measure on. Counters run from
// boot; absent is what the system does not say.
struct FitnessSnapshot {
  int watched_cpus = 0;
  std::optional<int64_t> total_ns;  // CPU time that passed on the watched CPUs, idle included
  std::optional<int64_t> busy_ns;   // spent working, by anyone
  std::optional<int64_t> steal_ns;  // given by the hypervisor to other guests
  int64_t own_ns = 0;               // used by this process and its children that it waited for
  std::optional<Throttling> throttling;
  std::optional<double> load_average;  // runnable threads on the machine, mean of the last minute
  std::optional<int64_t> running;      // threads running now on the machine, this one included
  std::string governor;                // of the first watched CPU; empty: not visible
  std::optional<int64_t> clock_khz;    // the same CPU's clock
  std::optional<int64_t> max_clock_khz;
  std::string huge_pages;  // the transparent huge page setting: always, madvise, never
  std::optional<bool> smt_active;
};

// Takes snapshots for the CPUs a measurement uses (empty: all that are online). A snapshot reads
// about ten small files of /proc and /sys, well below a millisecond. Keep it outside timed work.
class FitnessSampler {
 public:
  explicit FitnessSampler(base::SystemRoot root, CpuList watched = {});
  FitnessSnapshot take() const;

 private:
  base::SystemRoot root_;
  CpuList watched_;
  std::filesystem::path frequency_folder_;
  std::vector<std::filesystem::path> throttling_files_;
};

// What happened between two snapshots that lie `elapsed` (wall time, > 0) apart. The work of others
// is busy - own, so everything this process started must have been waited for by the second one.
// CPU time is counted in ticks (10 ms). What makes a machine unfit: findings/fitness_rules.hpp.
schema::Fitness assess_fitness(const FitnessSnapshot& before, const FitnessSnapshot& after,
                               base::Nanoseconds elapsed);

// Adds the state of the GPU under load: its clock against the default (else the maximum), and the
// processes on it beside `own_processes`.
void add_gpu_fitness(schema::Fitness& fitness, const gpu::Gpu& under_load, int64_t own_processes);

}  // namespace batchscope::host
