// Of the fake libnvidia-ml: events. A wait ends at once.
#include <vector>

#include "driver.hpp"

namespace nvml = batchscope::nvml;
using fake_driver::the_driver;
using nvml::Device;
using nvml::EventSet;
using nvml::Status;

struct nvml::EventSetHandle {
  std::mutex mutex;
  std::vector<Device> devices;
};

extern "C" {

Status nvmlEventSetCreate(EventSet* set) {
  *set = new nvml::EventSetHandle;
  return nvml::kSuccess;
}

Status nvmlEventSetFree(EventSet set) {
  delete set;
  return nvml::kSuccess;
}

Status nvmlDeviceRegisterEvents(Device device, unsigned long long kinds, EventSet set) {
  if (kinds != nvml::kEventXid) return nvml::kNotSupported;
  const Status status = the_driver().readiness(device);
  if (status != nvml::kSuccess) return status;
  const std::lock_guard lock(set->mutex);
  set->devices.push_back(device);
  return nvml::kSuccess;
}

Status nvmlEventSetWait_v2(EventSet set, nvml::Event* event, unsigned) {
  std::vector<Device> devices;
  {
    const std::lock_guard lock(set->mutex);
    devices = set->devices;
  }
  return the_driver().next_event(devices, *event) ? nvml::kSuccess : nvml::kTimeout;
}

}  // extern "C"
