#include "nvml_library.hpp"

#include <dlfcn.h>

#include <initializer_list>

namespace batchscope::device {
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

const char* fix_for(nvml::Status status) {
  if (status == nvml::kDriverNotLoaded) {
    return "load the NVIDIA driver (sudo modprobe nvidia); in a container, start it with access to "
           "the GPU (docker run --gpus all)";
  }
  if (status == nvml::kLibraryVersionMismatch) {
    return "the driver was updated while it was loaded: reboot, or reload the nvidia modules";
  }
  return "check that nvidia-smi works";
}

}  // namespace

NvmlLibrary::NvmlLibrary(void* handle) : handle_(handle) {
  find(handle, init, {"nvmlInit_v2"});
  find(handle, shutdown, {"nvmlShutdown"});
  find(handle, error_string, {"nvmlErrorString"});
  find(handle, device_count, {"nvmlDeviceGetCount_v2"});
  find(handle, device_handle, {"nvmlDeviceGetHandleByIndex_v2"});
  find(handle, driver_version, {"nvmlSystemGetDriverVersion"});
  find(handle, name, {"nvmlDeviceGetName"});
  find(handle, uuid, {"nvmlDeviceGetUUID"});
  find(handle, memory, {"nvmlDeviceGetMemoryInfo"});
  find(handle, compute_capability, {"nvmlDeviceGetCudaComputeCapability"});
  find(handle, clock, {"nvmlDeviceGetClockInfo"});
  find(handle, max_clock, {"nvmlDeviceGetMaxClockInfo"});
  find(handle, default_clock, {"nvmlDeviceGetDefaultApplicationsClock"});
  find(handle, temperature, {"nvmlDeviceGetTemperature"});
  find(handle, power, {"nvmlDeviceGetPowerUsage"});
  find(handle, throttle_reasons,
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  find(handle, compute_processes,
       {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
        "nvmlDeviceGetComputeRunningProcesses"});
  find(handle, mig_mode, {"nvmlDeviceGetMigMode"});
}

bool NvmlLibrary::complete() const {
  return init != nullptr && shutdown != nullptr && error_string != nullptr &&
         device_count != nullptr && device_handle != nullptr;
}

base::Result<std::unique_ptr<NvmlLibrary>> NvmlLibrary::load(const std::string& name) {
  base::Error error{base::ErrorKind::failed, "", name, ""};
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    error.what = "NVML cannot be loaded: ";
    error.what += dlerror();
    error.fix = kInstallDriver;
    return error;
  }
  std::unique_ptr<NvmlLibrary> library(new NvmlLibrary(handle));
  if (!library->complete()) {
    error.what = "is not a usable NVML";
    error.fix = "update the NVIDIA driver";
    return error;
  }
  const nvml::Status status = library->init();
  if (status != nvml::kSuccess) {
    error.what = "NVML does not start: ";
    error.what += library->error_string(status);
    error.fix = fix_for(status);
    return error;
  }
  library->initialised_ = true;
  return library;
}

NvmlLibrary::~NvmlLibrary() {
  if (initialised_) shutdown();
  dlclose(handle_);
}

}  // namespace batchscope::device
