#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "batchscope/base/system_root.hpp"
#include "batchscope/host/cgroup.hpp"
#include "batchscope/host/cpu_time.hpp"
#include "batchscope/telemetry/sample.hpp"

namespace batchscope::host {

// The CPUs that this process may use: how busy each was, and how often the quota of its cgroup
// stopped it.
class CpuMeter {
 public:
  CpuMeter(const base::SystemRoot& root, const Cgroups& cgroups);

  void take(const base::SystemRoot& root, telemetry::HostReading& reading);

 private:
  void take_throttling(const base::SystemRoot& root, telemetry::HostReading& reading);

  std::vector<CoreTime> before_;
  std::vector<std::filesystem::path> throttling_files_;
  std::optional<Throttling> throttling_before_;
};

}  // namespace batchscope::host
