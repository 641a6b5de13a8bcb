#include "batchscope/nvml/throttle_reasons.hpp"

#include <array>

#include "batchscope/nvml/abi.hpp"

namespace batchscope::nvml {
namespace {

struct Named {
  unsigned long long bit;
  ThrottleReason reason;
  std::string_view name;
  bool slowdown;
};

constexpr std::array<Named, 9> kReasons{{
    {kReasonApplicationClocks, ThrottleReason::application_clocks, "application clocks", false},
    {kReasonPowerCap, ThrottleReason::power_cap, "power cap", true},
    {kReasonHardwareSlowdown, ThrottleReason::hardware_slowdown, "hardware slowdown", true},
    {kReasonSyncBoost, ThrottleReason::sync_boost, "sync boost", false},
    {kReasonSoftwareThermal, ThrottleReason::software_thermal, "software thermal slowdown", true},
    {kReasonHardwareThermal, ThrottleReason::hardware_thermal, "hardware thermal slowdown", true},
    {kReasonPowerBrake, ThrottleReason::power_brake, "power brake", true},
    {kReasonDisplayClocks, ThrottleReason::display_clocks, "display clocks", false},
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
  bits &= ~kReasonIdle;
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

}  // namespace batchscope::nvml
