#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "metric_queries.hpp"

namespace batchscope::gpu {

// What of these bits of NVML slows work down against the user's will, in words: "power cap".
std::vector<std::string> slowdowns(unsigned long long bits);

// For how long the clock was held down, by reason, since the monitor began: from the driver's
// counters, and where it has none by whether the reason stood when it was read.
class ThrottleTime {
 public:
  explicit ThrottleTime(telemetry::CountByName before) : totals_(std::move(before)) {}

  void read(const nvml::Library& library, nvml::Device device, int64_t now_ns,
            telemetry::GpuReading& reading, Progress& progress);
  // Nothing is known of the time until the next reading.
  void interrupt() { read_ns_.reset(); }

 private:
  void read_reasons(const nvml::Library& library, nvml::Device device,
                    telemetry::GpuReading& reading, Progress& progress);
  // False where the driver does not.
  bool counted_by_driver(const nvml::Library& library, nvml::Device device, std::string_view name,
                         unsigned policy, Progress& progress);
  void count(std::string_view name, unsigned long long counter_ns);

  telemetry::CountByName totals_;
  std::map<std::string_view, unsigned long long> counters_;  // the last of each
  std::set<std::string_view> uncounted_;                     // the driver has no counter
  bool reasons_refused_ = false;
  std::optional<unsigned long long> bits_;  // of this reading
  std::optional<int64_t> read_ns_;          // the reading before
};

}  // namespace batchscope::gpu
