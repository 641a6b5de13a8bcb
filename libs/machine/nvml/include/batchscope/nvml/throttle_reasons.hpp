#pragma once

#include <string_view>
#include <vector>

namespace batchscope::nvml {

// Why the clock is below what was asked for, apart from being idle.
enum class ThrottleReason {
  application_clocks,
  power_cap,
  hardware_slowdown,
  sync_boost,
  software_thermal,
  hardware_thermal,
  power_brake,
  display_clocks,
  unknown,  // a bit this program has no name for
};
std::string_view to_string(ThrottleReason reason);
// True for reasons that slow work down against the user's will (power, heat, brake).
bool is_slowdown(ThrottleReason reason);

// NVML's bits, the idle one left out; bits without a name become one `unknown`.
std::vector<ThrottleReason> decode_throttle_reasons(unsigned long long bits);

}  // namespace batchscope::nvml
