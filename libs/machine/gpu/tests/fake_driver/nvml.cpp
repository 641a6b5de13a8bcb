// A libnvidia-ml for tests: what described_machine() tells, behind NVML's C interface.
#include <algorithm>
#include <cstdio>
#include <string>

#include "driver.hpp"

namespace nvml = batchscope::nvml;
using fake_driver::ask;
using fake_driver::Json;
using fake_driver::member;
using fake_driver::number;
using fake_driver::the_driver;
using nvml::Device;
using nvml::Status;

namespace {

Status text(Device device, const std::string& fact, char* target, unsigned capacity) {
  return ask(device, fact, [&](const Json& value) {
    std::snprintf(target, capacity, "%s", value.get<std::string>().c_str());
    return nvml::kSuccess;
  });
}

Status sm_clock(Device device, unsigned kind, const std::string& fact, unsigned* mhz) {
  return kind == nvml::kClockSm ? number(device, fact, mhz) : nvml::kNotSupported;
}

}  // namespace

extern "C" {

Status nvmlInit_v2() {
  return the_driver().start();
}

Status nvmlShutdown() {
  return the_driver().stop();
}

const char* nvmlErrorString(Status status) {
  if (status == nvml::kDriverNotLoaded) return "Driver Not Loaded";
  if (status == nvml::kLibraryVersionMismatch) return "Driver/library version mismatch";
  return "Unknown Error";
}

Status nvmlSystemGetDriverVersion(char* target, unsigned capacity) {
  const Json version = the_driver().machine_fact("driver_version");
  if (version.is_null()) return nvml::kNotSupported;
  std::snprintf(target, capacity, "%s", version.get<std::string>().c_str());
  return nvml::kSuccess;
}

Status nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(the_driver().gpu_count());
  return nvml::kSuccess;
}

Status nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  if (index >= the_driver().gpu_count()) return nvml::kInvalidArgument;
  *device = fake_driver::Place{index, 0}.handle();
  return the_driver().readiness(*device);
}

Status nvmlDeviceGetName(Device device, char* target, unsigned capacity) {
  return text(device, "name", target, capacity);
}

Status nvmlDeviceGetUUID(Device device, char* target, unsigned capacity) {
  return text(device, "uuid", target, capacity);
}

Status nvmlDeviceGetPciInfo_v3(Device device, nvml::PciInfo* info) {
  return text(device, "pci_bus_id", info->bus_id, sizeof(info->bus_id));
}

Status nvmlDeviceGetMemoryInfo(Device device, nvml::Memory* memory) {
  return ask(device, "memory", [&](const Json& value) {
    memory->total = value.at("total").get<unsigned long long>();
    memory->used = value.at("used").get<unsigned long long>() + value.value("reserved", 0ULL);
    memory->free = memory->total - memory->used;
    return nvml::kSuccess;
  });
}

Status nvmlDeviceGetMemoryInfo_v2(Device device, nvml::MemoryV2* memory) {
  if (memory->version != nvml::version_of<nvml::MemoryV2>(2) ||
      the_driver().refuses_version(device, "memory")) {
    return nvml::kArgumentVersionMismatch;
  }
  return ask(device, "memory", [&](const Json& value) {
    memory->total = value.at("total").get<unsigned long long>();
    memory->used = value.at("used").get<unsigned long long>();
    memory->reserved = value.value("reserved", 0ULL);
    memory->free = memory->total - memory->used - memory->reserved;
    return nvml::kSuccess;
  });
}

Status nvmlDeviceGetCudaComputeCapability(Device device, int* major, int* minor) {
  return ask(device, "compute_capability", [&](const Json& value) {
    *major = value.front().get<int>();
    *minor = value.back().get<int>();
    return nvml::kSuccess;
  });
}

Status nvmlDeviceGetClockInfo(Device device, unsigned kind, unsigned* mhz) {
  if (kind == nvml::kClockMemory) return number(device, "memory_clock_mhz", mhz);
  return sm_clock(device, kind, "sm_clock_mhz", mhz);
}

Status nvmlDeviceGetMaxClockInfo(Device device, unsigned kind, unsigned* mhz) {
  return sm_clock(device, kind, "max_sm_clock_mhz", mhz);
}

Status nvmlDeviceGetDefaultApplicationsClock(Device device, unsigned kind, unsigned* mhz) {
  return sm_clock(device, kind, "default_sm_clock_mhz", mhz);
}

Status nvmlDeviceGetTemperature(Device device, unsigned sensor, unsigned* celsius) {
  if (sensor != nvml::kTemperatureGpu) return nvml::kInvalidArgument;
  return number(device, "temperature_celsius", celsius);
}

Status nvmlDeviceGetTemperatureThreshold(Device device, unsigned kind, unsigned* celsius) {
  if (kind != nvml::kThresholdSlowdown) return nvml::kNotSupported;
  return number(device, "slowdown_temperature_celsius", celsius);
}

Status nvmlDeviceGetFieldValues(Device device, int count, nvml::FieldValue* values) {
  for (nvml::FieldValue* each = values; each != values + count; ++each) {
    each->status = each->field == nvml::kFieldMemoryTemperature
                       ? number(device, "memory_temperature_celsius", &each->value.narrow)
                       : nvml::kNotSupported;
  }
  return nvml::kSuccess;
}

Status nvmlDeviceGetPowerUsage(Device device, unsigned* milliwatts) {
  return number(device, "power_milliwatts", milliwatts);
}

Status nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned* milliwatts) {
  return number(device, "power_limit_milliwatts", milliwatts);
}

Status nvmlDeviceGetTotalEnergyConsumption(Device device, unsigned long long* millijoules) {
  return number(device, "energy_millijoules", millijoules);
}

Status nvmlDeviceGetUtilizationRates(Device device, nvml::Utilization* utilization) {
  return ask(device, "utilization", [&](const Json& value) {
    *utilization = {value.at("gpu").get<unsigned>(), value.at("memory").get<unsigned>()};
    return nvml::kSuccess;
  });
}

Status nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned* count, void* list) {
  return ask(device, "processes", [&](const Json& value) {
    const unsigned room = *count;
    *count = static_cast<unsigned>(value.size());
    if (*count > room) return nvml::kInsufficientSize;
    constexpr unsigned kNoInstance = 0xffffffff;
    std::transform(value.begin(), value.end(), static_cast<nvml::Process*>(list),
                   [](const Json& each) {
                     return nvml::Process{each.at("pid").get<unsigned>(),
                                          each.at("memory").get<unsigned long long>(), kNoInstance,
                                          kNoInstance};
                   });
    return nvml::kSuccess;
  });
}

}  // extern "C"
