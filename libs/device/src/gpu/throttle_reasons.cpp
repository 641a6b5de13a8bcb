#include "throttle_reasons.hpp"

#include <array>

#include "nvml_abi.hpp"

namespace batchscope::device {
namespace {

struct Named {
  unsigned long long bit;
  ThrottleReason reason;
  std::string_view name;
  bool slowdown;
};

constexpr std::array<Named, 9> kReasons{{
    {nvml::kReasonApplicationClocks, ThrottleReason::application_clocks, "application clocks",
     false},
    {nvml::kReasonPowerCap, ThrottleReason::power_cap, "power cap", true},
    {nvml::kReasonHardwareSlowdown, ThrottleReason::hardware_slowdown, "hardware slowdown", true},
    {nvml::kReasonSyncBoost, ThrottleReason::sync_boost, "sync boost", false},
    {nvml::kReasonSoftwareThermal, ThrottleReason::software_thermal, "software thermal slowdown",
     true},
    {nvml::kReasonHardwareThermal, ThrottleReason::hardware_thermal, "hardware thermal slowdown",
     true},
    {nvml::kReasonPowerBrake, ThrottleReason::power_brake, "power brake", true},
    {nvml::kReasonDisplayClocks, ThrottleReason::display_clocks, "display clocks", false},
    {0, ThrottleReason::unknown, "unknown reason", false},
}};

const Named& find(ThrottleReason reason) {
  for (const Named& named : kReasons) {
    if (named.reason == reason) return named;
  }
  return kReasons.back();
}

}  // namespace

std::vector<ThrottleReason> decode_throttle_reasons(unsigned long long bits) {
  bits &= ~nvml::kReasonIdle;
  std::vector<ThrottleReason> reasons;
  for (const Named& named : kReasons) {
    if ((bits & named.bit) != 0) reasons.push_back(named.reason);
    bits &= ~named.bit;
  }
  if (bits != 0) reasons.push_back(ThrottleReason::unknown);
  return reasons;
}

std::string_view to_string(ThrottleReason reason) {
  return find(reason).name;
}

bool is_slowdown(ThrottleReason reason) {
  return find(reason).slowdown;
}

std::vector<std::string> gpu_names(const GpuMonitor& monitor) {
  std::vector<std::string> names;
  names.reserve(static_cast<size_t>(monitor.count()));
  for (int index = 0; index < monitor.count(); ++index) {
    names.push_back(monitor.info(index).name.value_or("GPU " + std::to_string(index)));
  }
  return names;
}

}  // namespace batchscope::device
