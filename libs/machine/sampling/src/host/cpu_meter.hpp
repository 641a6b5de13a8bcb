#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "batchscope/base/system_root.hpp"
#include "batchscope/device/cgroup.hpp"
#include "batchscope/device/cpu_time.hpp"
#include "batchscope/telemetry/sample.hpp"

namespace batchscope::sampling {

// The CPUs that this process may use: how busy each was, and how often the quota of its cgroup
// stopped it.
class CpuMeter {
 public:
  CpuMeter(const base::SystemRoot& root, const device::Cgroups& cgroups);

  void take(const base::SystemRoot& root, telemetry::HostReading& reading);

 private:
  void take_throttling(const base::SystemRoot& root, telemetry::HostReading& reading);

  std::vector<device::CoreTime> before_;
  std::vector<std::filesystem::path> throttling_files_;
  std::optional<device::Throttling> throttling_before_;
};

}  // namespace batchscope::sampling
