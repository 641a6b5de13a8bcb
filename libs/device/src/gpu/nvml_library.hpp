#pragma once

#include <memory>
#include <string>

#include "batchscope/base/result.hpp"
#include "nvml_abi.hpp"

namespace batchscope::device {

// libnvidia-ml, loaded and initialised. A pointer is null where the library is too old to have the
// function; the first five are always there.
class NvmlLibrary {
 public:
  static base::Result<std::unique_ptr<NvmlLibrary>> load(const std::string& name);
  ~NvmlLibrary();
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;

  nvml::PlainCall init = nullptr;
  nvml::PlainCall shutdown = nullptr;
  nvml::ErrorStringCall error_string = nullptr;
  nvml::CountCall device_count = nullptr;
  nvml::HandleCall device_handle = nullptr;

  nvml::TextCall driver_version = nullptr;
  nvml::DeviceTextCall name = nullptr;
  nvml::DeviceTextCall uuid = nullptr;
  nvml::DeviceMemoryCall memory = nullptr;
  nvml::DeviceTwoNumbersCall compute_capability = nullptr;
  nvml::DeviceKindNumberCall clock = nullptr;
  nvml::DeviceKindNumberCall max_clock = nullptr;
  nvml::DeviceKindNumberCall default_clock = nullptr;
  nvml::DeviceKindNumberCall temperature = nullptr;
  nvml::DeviceNumberCall power = nullptr;
  nvml::DeviceBitsCall throttle_reasons = nullptr;
  nvml::DeviceProcessesCall compute_processes = nullptr;
  nvml::DevicePairCall mig_mode = nullptr;

 private:
  explicit NvmlLibrary(void* handle);
  bool complete() const;

  void* handle_;
  bool initialised_ = false;
};

}  // namespace batchscope::device
