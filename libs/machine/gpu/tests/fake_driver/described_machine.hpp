#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace fake_driver {

// The machine that the fake driver libraries show: what stands in the JSON file that FAKE_GPUS, an
// environment variable, names. Without the variable the driver is not loaded. Aborts where the file
// cannot be read or has a key that is not listed here: a test with a typing error must not pass.
//
//   driver_version     "580.65.06"
//   cuda_version       1000 * major + 10 * minor; without it libcuda fails
//   init_status        what nvmlInit_v2 returns instead of success, and after that every call: the
//                      driver was removed
//   gpus               a list; what one of them lacks it does not support:
//     name, uuid, pci_bus_id  text
//     memory              {"total": bytes, "used": bytes, "reserved": bytes, 0 if left out}
//     compute_capability  [major, minor]
//     sm_clock_mhz, max_sm_clock_mhz, default_sm_clock_mhz, memory_clock_mhz
//     temperature_celsius, memory_temperature_celsius, slowdown_temperature_celsius
//     power_milliwatts, power_limit_milliwatts, energy_millijoules
//     throttle_reasons    bits, as NVML has them
//     violations_ns       {"power": n, "thermal", "sync_boost", "board_limit", "reliability"}
//     utilization         {"gpu": percent, "memory": percent}
//     ecc_errors          {"corrected": n, "uncorrected": n}
//     remapped_rows       {"corrected": n, "uncorrected": n, "pending": true or false}
//     pcie_throughput     {"transmit": kB/s, "receive": kB/s}
//     pcie_replays, pcie_link {"generation": n, "width": n}
//     processes           [{"pid": number, "memory": bytes}]: those that compute
//     gpm                 {"2": percent}: metrics by their numbers
//     mig                 true or false
//     slices              a list, null where there is none: each with gpu_instance (its place + 1
//                         if left out), and of the above name, uuid, memory, processes, gpm
//     xid_events          [{"xid": number, "at_wait": n}]: told once, at the n-th wait or later;
//                         waits are counted from 0, of all event sets, and end at once
//     no_permission       names out of the above: what is refused
//     older_structs       of "memory", "gpm": their version is refused
//     lost_after_calls    after so many calls, the one for the handle too, the GPU is lost; counted
//                         from the start of NVML on
//     faults              [{"status": n, "from_call": n, "to_call": n}]: what these calls return,
//                         counted so; without `to_call` for ever
//
// In place of a value of a GPU or a slice may stand
//   {"series": [a, b, c]}  the first call gets a, the second b, all from the third on c
//   {"status": n}          what the call returns; in a series too
//   {"hang": true}         the call never returns
//   {"hang": "path"}       the call returns when somebody has opened this FIFO for writing, with
//                          what stands there as "value"
//
// The file is read again when NVML starts and when it has changed; calls are then counted anew,
// but those of faults and waits. A file that is half written is passed over.
nlohmann::json described_machine();

// The same, if it has changed since the call before and is whole.
class MachineFile {
 public:
  std::optional<nlohmann::json> changed();

 private:
  std::string seen_;  // which version of the file
};

}  // namespace fake_driver
