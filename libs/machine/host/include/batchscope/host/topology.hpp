#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/system_root.hpp"
#include "batchscope/host/cpu_list.hpp"

namespace batchscope::host {

// One logical CPU that is online.
struct LogicalCpu {
  int id = 0;       // the kernel's number
  int core = 0;     // physical core, counted from 0 over the whole machine
  int package = 0;  // socket, the kernel's number
  int node = 0;     // NUMA node, the kernel's number
};

// All caches of one level and type; sizes as the kernel (or the hypervisor) states them.
struct Cache {
  int level = 0;
  std::string type;        // data, instruction, unified
  int64_t size_bytes = 0;  // of one instance
  int instances = 0;
  int cpus_per_instance = 0;  // logical CPUs that share one
};

struct Topology {
  std::string model;  // "Intel(R) Xeon(R) Platinum 8380", "Arm Neoverse-N1"; may be empty
  std::vector<LogicalCpu> cpus;  // by id
  int cores = 0;
  int packages = 0;
  int nodes = 0;
  std::vector<Cache> caches;       // by level, then type
  std::optional<bool> smt_active;  // more than one thread a core in use; absent: unknown

  std::optional<Cache> cache(int level, const std::string& type) const;
  // "1 socket, 2 cores, 2 logical CPUs, 1 NUMA node"
  std::string describe() const;
};

// Reads /sys/devices/system/{cpu,node}, and /proc/cpuinfo for the model's name. Where sysfs is
// hidden (some sandboxes) the layout comes from /proc/cpuinfo alone and caches are absent. A value
// that is nowhere counts as one core a CPU, one socket, one node.
Topology read_topology(const base::SystemRoot& root);

}  // namespace batchscope::host
