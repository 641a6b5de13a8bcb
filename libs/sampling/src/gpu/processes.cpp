#include "processes.hpp"

#include <vector>

#include "batchscope/base/subprocess.hpp"
#include "plausible.hpp"

namespace batchscope::sampling {

nvml::Status processes(const nvml::Library& library, nvml::Device device,
                       telemetry::GpuReading& reading) {
  // Programs start between two calls: a list that was too short is asked for again, with room.
  constexpr int kTries = 4;
  constexpr unsigned kRoom = 8;
  std::vector<nvml::Process> list(kRoom);
  for (int tries = 0; tries < kTries; ++tries) {
    auto count = static_cast<unsigned>(list.size());
    const nvml::Status status =
        nvml::call(library.list_processes, device, &count, static_cast<void*>(list.data()));
    if (status == nvml::kInsufficientSize) {
      list.resize(std::size_t{count} + kRoom);
      continue;
    }
    if (status != nvml::kSuccess) return status;
    list.resize(std::min<std::size_t>(count, list.size()));
    for (const nvml::Process& each : list) {
      reading.processes.push_back(
          {each.pid, plausible_count(each.memory), !base::process_exists(each.pid)});
    }
    return status;
  }
  return nvml::kInsufficientSize;
}

}  // namespace batchscope::sampling
