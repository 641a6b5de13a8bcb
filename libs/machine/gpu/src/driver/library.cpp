#include "driver/library.hpp"

#include <dlfcn.h>

#include <initializer_list>

namespace batchscope::nvml {
namespace {

constexpr const char* kInstallDriver =
    "install the NVIDIA driver (Debian: nvidia-driver; in a container: docker run --gpus all)";

// The first of several names, newest first, under which a library may export a function.
template <class Function>
void find(void* handle, Function& function, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (function != nullptr) return;
  }
}

const char* fix_for(Status status) {
  if (status == kDriverNotLoaded) {
    return "load the NVIDIA driver (sudo modprobe nvidia); in a container, start it with access to "
           "the GPU (docker run --gpus all)";
  }
  if (status == kLibraryVersionMismatch) {
    return "the driver was updated while loaded: reboot, or reload the nvidia modules";
  }
  return "check that nvidia-smi works";
}

}  // namespace

Library::Library(void* handle) : handle_(handle) {
  find(handle, init, {"nvmlInit_v2"});
  find(handle, shutdown, {"nvmlShutdown"});
  find(handle, error_string, {"nvmlErrorString"});
  find(handle, device_count, {"nvmlDeviceGetCount_v2"});
  find(handle, device_handle, {"nvmlDeviceGetHandleByIndex_v2"});
  find(handle, driver_version, {"nvmlSystemGetDriverVersion"});
  find(handle, name, {"nvmlDeviceGetName"});
  find(handle, uuid, {"nvmlDeviceGetUUID"});
  find(handle, pci_info, {"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo"});
  find(handle, compute_capability, {"nvmlDeviceGetCudaComputeCapability"});
  find_readings();
  find_health();
  find_slices_and_events();
}

void Library::find_readings() {
  find(handle_, utilization, {"nvmlDeviceGetUtilizationRates"});
  find(handle_, memory, {"nvmlDeviceGetMemoryInfo"});
  find(handle_, memory_v2, {"nvmlDeviceGetMemoryInfo_v2"});
  find(handle_, power, {"nvmlDeviceGetPowerUsage"});
  find(handle_, power_limit, {"nvmlDeviceGetEnforcedPowerLimit"});
  find(handle_, energy, {"nvmlDeviceGetTotalEnergyConsumption"});
  find(handle_, temperature, {"nvmlDeviceGetTemperature"});
  find(handle_, temperature_threshold, {"nvmlDeviceGetTemperatureThreshold"});
  find(handle_, fields, {"nvmlDeviceGetFieldValues"});
  find(handle_, clock, {"nvmlDeviceGetClockInfo"});
  find(handle_, max_clock, {"nvmlDeviceGetMaxClockInfo"});
  find(handle_, default_clock, {"nvmlDeviceGetDefaultApplicationsClock"});
  find(handle_, count_processes,
       {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
        "nvmlDeviceGetComputeRunningProcesses"});
  find(handle_, list_processes,
       {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
}

void Library::find_health() {
  find(handle_, throttle_reasons,
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  find(handle_, violation, {"nvmlDeviceGetViolationStatus"});
  find(handle_, ecc_errors, {"nvmlDeviceGetTotalEccErrors"});
  find(handle_, remapped_rows, {"nvmlDeviceGetRemappedRows"});
  find(handle_, pcie_throughput, {"nvmlDeviceGetPcieThroughput"});
  find(handle_, pcie_replays, {"nvmlDeviceGetPcieReplayCounter"});
  find(handle_, pcie_generation, {"nvmlDeviceGetCurrPcieLinkGeneration"});
  find(handle_, pcie_width, {"nvmlDeviceGetCurrPcieLinkWidth"});
}

void Library::find_slices_and_events() {
  find(handle_, mig_mode, {"nvmlDeviceGetMigMode"});
  find(handle_, max_slices, {"nvmlDeviceGetMaxMigDeviceCount"});
  find(handle_, slice, {"nvmlDeviceGetMigDeviceHandleByIndex"});
  find(handle_, gpu_instance, {"nvmlDeviceGetGpuInstanceId"});
  find(handle_, make_event_set, {"nvmlEventSetCreate"});
  find(handle_, free_event_set, {"nvmlEventSetFree"});
  find(handle_, register_events, {"nvmlDeviceRegisterEvents"});
  find(handle_, wait_for_event, {"nvmlEventSetWait_v2"});
  find(handle_, gpm_support, {"nvmlGpmQueryDeviceSupport"});
  find(handle_, make_gpm_sample, {"nvmlGpmSampleAlloc"});
  find(handle_, free_gpm_sample, {"nvmlGpmSampleFree"});
  find(handle_, take_gpm_sample, {"nvmlGpmSampleGet"});
  find(handle_, take_slice_gpm_sample, {"nvmlGpmMigSampleGet"});
  find(handle_, gpm_metrics, {"nvmlGpmMetricsGet"});
}

bool Library::complete() const {
  return init != nullptr && shutdown != nullptr && error_string != nullptr &&
         device_count != nullptr && device_handle != nullptr;
}

base::Result<std::unique_ptr<Library>> Library::load(const std::string& name) {
  base::Error error{base::ErrorKind::failed, "", name, ""};
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    error.what = "cannot load NVML: ";
    error.what += dlerror();
    error.fix = kInstallDriver;
    return error;
  }
  std::unique_ptr<Library> library(new Library(handle));
  if (!library->complete()) {
    error.what = "is not a usable NVML library";
    error.fix = "update the NVIDIA driver";
    return error;
  }
  const Status status = library->init();
  if (status != kSuccess) {
    error.what = "NVML does not start: ";
    error.what += library->error_string(status);
    error.fix = fix_for(status);
    return error;
  }
  library->initialised_ = true;
  return library;
}

Library::~Library() {
  if (initialised_) shutdown();
  dlclose(handle_);
}

}  // namespace batchscope::nvml
