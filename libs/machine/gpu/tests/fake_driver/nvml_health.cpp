// Of the fake libnvidia-ml: what holds a GPU down, its errors, its link.
#include <array>

#include "driver.hpp"

namespace nvml = batchscope::nvml;
using fake_driver::ask;
using fake_driver::Json;
using fake_driver::member;
using fake_driver::number;
using nvml::Device;
using nvml::Status;

extern "C" {

// The older name only, as drivers before CUDA 12.2 have.
Status nvmlDeviceGetCurrentClocksThrottleReasons(Device device, unsigned long long* bits) {
  return number(device, "throttle_reasons", bits);
}

Status nvmlDeviceGetViolationStatus(Device device, unsigned policy, nvml::Violation* violation) {
  constexpr std::array kPolicies{"power",       "thermal",         "sync_boost",
                                 "board_limit", "low_utilization", "reliability"};
  if (policy >= kPolicies.size()) return nvml::kInvalidArgument;
  violation->reference_time = 1;
  return member(device, "violations_ns", kPolicies[policy], &violation->violation_time);
}

Status nvmlDeviceGetTotalEccErrors(Device device, unsigned kind, unsigned since,
                                   unsigned long long* count) {
  if (since != nvml::kEccSinceDriverLoad) return nvml::kNotSupported;
  return member(device, "ecc_errors", kind == nvml::kEccCorrected ? "corrected" : "uncorrected",
                count);
}

Status nvmlDeviceGetRemappedRows(Device device, unsigned* corrected, unsigned* uncorrected,
                                 unsigned* pending, unsigned* failed) {
  return ask(device, "remapped_rows", [&](const Json& value) {
    *corrected = value.at("corrected").get<unsigned>();
    *uncorrected = value.at("uncorrected").get<unsigned>();
    *pending = value.at("pending").get<bool>() ? 1U : 0U;
    *failed = 0;
    return nvml::kSuccess;
  });
}

Status nvmlDeviceGetPcieThroughput(Device device, unsigned kind, unsigned* kilobytes) {
  return member(device, "pcie_throughput", kind == nvml::kPcieTransmit ? "transmit" : "receive",
                kilobytes);
}

Status nvmlDeviceGetPcieReplayCounter(Device device, unsigned* count) {
  return number(device, "pcie_replays", count);
}

Status nvmlDeviceGetCurrPcieLinkGeneration(Device device, unsigned* generation) {
  return member(device, "pcie_link", "generation", generation);
}

Status nvmlDeviceGetCurrPcieLinkWidth(Device device, unsigned* width) {
  return member(device, "pcie_link", "width", width);
}

}  // extern "C"
