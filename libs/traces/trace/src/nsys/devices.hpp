#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "batchscope/trace/trace.hpp"
#include "reading.hpp"

namespace batchscope::trace {

// A device as an export describes it: what a multiprocessor of it holds at once; 0: not said.
struct Device {
  DeviceInfo info;
  int64_t warps = 0;
  int64_t blocks = 0;
  int64_t registers = 0;
  int64_t shared_bytes = 0;
};

// The GPUs of the machine, and which of them a process calls 0, 1, 2: each counts only those that
// it may see, so that all ranks of a job may be on a device 0.
class Devices {
 public:
  // From TARGET_INFO_GPU and TARGET_INFO_CUDA_DEVICE; exports without GPUs have neither.
  explicit Devices(SqliteReading& reading);

  // The machine's number; the process's own where the export does not say.
  int64_t number_of(int64_t process, int64_t device) const;
  // nullptr where the export does not describe it.
  const Device* device(int64_t number) const;
  std::vector<DeviceInfo> infos() const;

 private:
  void read_gpus(SqliteReading& reading);
  void read_views(SqliteReading& reading);

  std::map<int64_t, Device> devices_;
  std::map<std::pair<int64_t, int64_t>, int64_t> numbers_;  // of (process, its own number)
};

}  // namespace batchscope::trace
