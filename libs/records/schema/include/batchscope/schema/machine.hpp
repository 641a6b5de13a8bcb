#pragma once

#include <cstdint>
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
};

}  // namespace batchscope::schema
