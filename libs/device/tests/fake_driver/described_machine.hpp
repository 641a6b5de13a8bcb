#pragma once

#include <nlohmann/json.hpp>

namespace fake_driver {

// The machine that the fake driver libraries show: what stands in the JSON file that FAKE_GPUS, an
// environment variable, names. Without the variable the driver is not loaded. Aborts where the file
// cannot be read or has a key that is not listed here: a test with a typing error must not pass.
//
//   driver_version     "580.65.06"
//   cuda_version       1000 * major + 10 * minor; without it libcuda fails
//   init_status        what nvmlInit_v2 returns instead of success
//   gpus               a list; what one of them lacks it does not support:
//     name, uuid          text
//     memory              {"total": bytes, "used": bytes}
//     compute_capability  [major, minor]
//     sm_clock_mhz, max_sm_clock_mhz, default_sm_clock_mhz
//     temperature_celsius, power_milliwatts
//     throttle_reasons    bits, as NVML has them
//     utilization         {"gpu": percent, "memory": percent}
//     mig                 true or false
//     processes           [{"pid": number, "memory": bytes}]: those that compute
//     no_permission       names out of the above: what is refused
//     lost_after_calls    after so many calls, the one for the handle too, the GPU is lost; counted
//                         from the start of NVML on
nlohmann::json described_machine();

}  // namespace fake_driver
