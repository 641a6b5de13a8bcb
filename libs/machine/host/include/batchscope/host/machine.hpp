#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "batchscope/base/system_root.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/host/topology.hpp"
#include "batchscope/schema/machine.hpp"

namespace batchscope::host {

// /proc/meminfo, in bytes; absent where the kernel does not say (MemAvailable before Linux 3.14).
struct MemoryInfo {
  std::optional<int64_t> total_bytes;
  std::optional<int64_t> available_bytes;
  std::optional<int64_t> swap_used_bytes{};
};
MemoryInfo read_memory_info(const base::SystemRoot& root);

// The system around the process; empty where it cannot be told.
struct Platform {
  std::string host;
  std::string kernel;  // release, "6.1.0-18-amd64"
  std::string os;      // "Debian GNU/Linux 12 (bookworm)"
  bool virtualised = false;
  std::string hypervisor;  // "KVM", "Amazon EC2", ... where the firmware names it
  bool container = false;
};
Platform read_platform(const base::SystemRoot& root);

// What a run file's header says about the machine: its GPUs by the names that a user knows them by,
// with their memory, as far as the monitor sees them.
schema::Machine read_machine(const base::SystemRoot& root, const gpu::Gpus& gpus);
// The same without GPUs.
schema::Machine describe_machine(const Topology& topology, const MemoryInfo& memory,
                                 const Platform& platform);

}  // namespace batchscope::host
