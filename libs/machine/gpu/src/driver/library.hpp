#pragma once

#include <memory>
#include <string>

#include "batchscope/base/result.hpp"
#include "driver/abi.hpp"

namespace batchscope::nvml {

// libnvidia-ml, loaded and initialised; NVML ends with the last object. Any call may take
// milliseconds, or never return where the driver hangs. A pointer is null where the library is too
// old to have the function; the first five are always there.
class Library {
 public:
  // Errors: failed (no library, another one, no driver), with the way to get it.
  static base::Result<std::unique_ptr<Library>> load(const std::string& name);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  PlainCall init = nullptr;
  PlainCall shutdown = nullptr;
  ErrorStringCall error_string = nullptr;
  CountCall device_count = nullptr;
  HandleCall device_handle = nullptr;

  TextCall driver_version = nullptr;
  DeviceTextCall name = nullptr;
  DeviceTextCall uuid = nullptr;
  DevicePciCall pci_info = nullptr;
  DeviceTwoNumbersCall compute_capability = nullptr;

  DeviceUtilizationCall utilization = nullptr;
  DeviceMemoryCall memory = nullptr;
  DeviceMemoryV2Call memory_v2 = nullptr;
  DeviceNumberCall power = nullptr;            // milliwatts
  DeviceNumberCall power_limit = nullptr;      // milliwatts, the one that is enforced
  DeviceWideNumberCall energy = nullptr;       // millijoules since the driver was loaded
  DeviceKindNumberCall temperature = nullptr;  // degrees Celsius, as the next
  DeviceKindNumberCall temperature_threshold = nullptr;
  DeviceFieldsCall fields = nullptr;
  DeviceKindNumberCall clock = nullptr;  // MHz, as the next two
  DeviceKindNumberCall max_clock = nullptr;
  DeviceKindNumberCall default_clock = nullptr;
  DeviceWideNumberCall throttle_reasons = nullptr;
  DeviceViolationCall violation = nullptr;
  DeviceEccCall ecc_errors = nullptr;
  DeviceRowsCall remapped_rows = nullptr;
  DeviceKindNumberCall pcie_throughput = nullptr;  // kB/s, measured for 20 ms
  DeviceNumberCall pcie_replays = nullptr;
  DeviceNumberCall pcie_generation = nullptr;
  DeviceNumberCall pcie_width = nullptr;
  DeviceProcessesCall count_processes = nullptr;  // those that compute; any layout
  DeviceProcessesCall list_processes = nullptr;   // an array of Process

  DevicePairCall mig_mode = nullptr;
  DeviceNumberCall max_slices = nullptr;
  DeviceSliceCall slice = nullptr;
  DeviceNumberCall gpu_instance = nullptr;

  MakeEventSetCall make_event_set = nullptr;
  FreeEventSetCall free_event_set = nullptr;
  RegisterEventsCall register_events = nullptr;
  WaitForEventCall wait_for_event = nullptr;  // milliseconds

  GpmSupportCall gpm_support = nullptr;
  MakeGpmSampleCall make_gpm_sample = nullptr;
  FreeGpmSampleCall free_gpm_sample = nullptr;
  TakeGpmSampleCall take_gpm_sample = nullptr;
  TakeSliceGpmSampleCall take_slice_gpm_sample = nullptr;  // of the whole GPU's handle
  GpmMetricsCall gpm_metrics = nullptr;

 private:
  explicit Library(void* handle);
  void find_readings();
  void find_health();
  void find_slices_and_events();
  bool complete() const;

  void* handle_;
  bool initialised_ = false;
};

// kFunctionNotFound where the library does not have the function.
template <class Function, class... Arguments>
Status call(Function function, Arguments... arguments) {
  return function == nullptr ? kFunctionNotFound : function(arguments...);
}

}  // namespace batchscope::nvml
