#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace batchscope::schema {

// What a run was measured on.
struct Machine {
  std::string host;
  std::string cpu;
  int physical_cores = 0;
  int logical_cpus = 0;
  int64_t memory_bytes = 0;
  int64_t l3_bytes = 0;
  std::string kernel;
  std::string os;
  bool virtualised = false;
  std::vector<std::string> gpus;  // all that NVML sees, by PCI bus, which need not be CUDA's order
  // All that each of `gpus` has, in use or not; 0: NVML does not tell. Empty: not recorded.
  std::vector<int64_t> gpu_memory_bytes{};
  bool operator==(const Machine&) const = default;
};

// A machine that measured blocks of a run, as they found it: a node of a cluster whose driver was
// updated between two blocks is two of these with one name.
struct Node {
  std::string name;  // BATCHSCOPE_NODE, SLURMD_NODENAME, else the host and the start of its boot id
  Machine machine;
  std::string boot_id{};
  int allowed_cpus = 0;                           // that its blocks may use; 0: not recorded
  std::vector<std::string> gpu_uuids{};           // of machine.gpus, in their order
  std::map<std::string, std::string> versions{};  // as in the header, of this machine
  bool operator==(const Node&) const = default;
};

// Where and when a block was measured. The node of a visit is that of its block.
struct Placement {
  int block = 0;                     // Visit::block
  int node = 0;                      // index into RunFile::nodes
  std::vector<std::string> devices;  // "cpu", else the UUIDs of GPUs
  std::string cpus{};                // that it was allowed to use: "0-3,8"
  std::string job{};                 // "slurm 123_4"; empty: not started by an engine that is known
  int64_t begin_ns = 0, end_ns = 0;  // since 1970, UTC
  // What the engine made of the process.
  int nice = 0;
  double lock_wait_s = 0;             // for another block to leave the device
  std::optional<double> cpu_quota{};  // CPUs' worth of time; absent: unlimited
  int restarts = 0;                   // how often the engine had started it before
  bool operator==(const Placement&) const = default;
};

}  // namespace batchscope::schema
