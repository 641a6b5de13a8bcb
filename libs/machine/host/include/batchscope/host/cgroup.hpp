#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/system_root.hpp"

namespace batchscope::host {

enum class CgroupVersion { none, v1, v2 };

// The process's own group for one controller. Paths are as on the real system, to be read through a
// SystemRoot.
struct CgroupDir {
  CgroupVersion version = CgroupVersion::none;
  std::filesystem::path mount;  // "/sys/fs/cgroup/memory"
  std::filesystem::path group;  // at or below the mount

  // The own group first, then every parent up to the mount. A limit on any of them binds.
  std::vector<std::filesystem::path> lineage() const;
};

// Which hierarchy rules what; a machine may have v1 and v2 mounted side by side ("hybrid").
struct Cgroups {
  CgroupDir cpu;
  CgroupDir memory;
  bool hybrid = false;
};

// From /proc/self/cgroup and /proc/self/mountinfo (cgroups(7)). In a container that sees less of
// the tree than the kernel names, the mount itself stands for the own group.
Cgroups find_cgroups(const base::SystemRoot& root);

struct CpuQuota {
  double cpus = 0;              // CPU time over wall time, in CPUs
  std::filesystem::path group;  // that sets it
};
// The tightest of the own and all parents' quotas (v2 cpu.max, v1 cpu.cfs_quota_us over
// cpu.cfs_period_us); absent when there is none.
std::optional<CpuQuota> read_cpu_quota(const base::SystemRoot& root, const Cgroups& cgroups);

struct CgroupMemoryLimit {
  int64_t bytes = 0;
  std::filesystem::path group;  // that sets it
};
// The tightest of the own and all parents' limits (v2 memory.max, v1 memory.limit_in_bytes).
std::optional<CgroupMemoryLimit> read_memory_limit(const base::SystemRoot& root,
                                                   const Cgroups& cgroups);

// What the processes of a group hold, without the pages of files that are given up first (v2
// memory.current, v1 memory.usage_in_bytes, less inactive_file). Absent where it does not say.
std::optional<int64_t> read_memory_use(const base::SystemRoot& root, CgroupVersion version,
                                       const std::filesystem::path& group);

// How often and how long a CPU quota stopped the processes of the group.
struct Throttling {
  int64_t periods = 0;
  int64_t throttled_periods = 0;
  int64_t throttled_ns = 0;  // over all CPUs
};
// The cpu.stat files that can show throttling of this process: the own group's and its parents'.
std::vector<std::filesystem::path> throttling_files(const base::SystemRoot& root,
                                                    const Cgroups& cgroups);
// Their sum: a group counts what its own quota did, so none is counted twice. Absent when no file
// can be read or none counts.
std::optional<Throttling> read_throttling(const base::SystemRoot& root,
                                          const std::vector<std::filesystem::path>& files);

// "cgroup v1", "cgroup v2", "cgroup v1 and v2 (hybrid)", "none"
std::string describe(const Cgroups& cgroups);

}  // namespace batchscope::host
