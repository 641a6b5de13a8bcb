// A libnvidia-ml for tests: what described_machine() tells, behind NVML's C interface.
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include "described_machine.hpp"
#include "gpu/nvml_abi.hpp"

namespace nvml = batchscope::device::nvml;

namespace fake_driver {

// As nvmlUtilization_t.
struct Utilization {
  unsigned gpu;
  unsigned memory;
};

}  // namespace fake_driver

namespace {

using Json = nlohmann::json;

constexpr nvml::Status kUninitialized = 1;
constexpr nvml::Status kInvalidArgument = 2;
constexpr nvml::Status kNoPermission = 4;
constexpr nvml::Status kGpuIsLost = 15;

// As nvmlProcessInfo_t where the function's name ends with _v2 or _v3.
struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct Gpu {
  Json facts;
  int64_t calls = 0;
};

// Memory that is out ends the program, here as anywhere.
struct Driver {  // NOLINT(bugprone-exception-escape)
  std::mutex mutex;
  int users = 0;  // NVML counts how often it was started, and ends with the last
  Json machine;
  std::vector<Gpu> gpus;  // a handle points at one of them
};

Driver& the_driver() {
  static Driver driver;
  return driver;
}

// The driver's lock is held by those who call this and the next.
bool is_lost(Gpu& gpu) {
  return gpu.facts.contains("lost_after_calls") &&
         gpu.calls++ >= gpu.facts.at("lost_after_calls").get<int64_t>();
}

nvml::Status readiness(Gpu& gpu, const std::string& fact) {
  if (is_lost(gpu)) return kGpuIsLost;
  if (gpu.facts.contains("no_permission")) {
    for (const Json& refused : gpu.facts.at("no_permission")) {
      if (refused.get<std::string>() == fact) return kNoPermission;
    }
  }
  return gpu.facts.contains(fact) ? nvml::kSuccess : nvml::kNotSupported;
}

// Gives the fact to `take`, which returns the status of the call.
template <class Take>
nvml::Status ask(nvml::Device device, const std::string& fact, Take take) {
  const std::lock_guard<std::mutex> lock(the_driver().mutex);
  Gpu& gpu = *reinterpret_cast<Gpu*>(device);
  const nvml::Status status = readiness(gpu, fact);
  return status == nvml::kSuccess ? take(gpu.facts.at(fact)) : status;
}

template <class Number>
nvml::Status number(nvml::Device device, const std::string& fact, Number* target) {
  return ask(device, fact, [&](const Json& value) {
    *target = value.get<Number>();
    return nvml::kSuccess;
  });
}

nvml::Status text(nvml::Device device, const std::string& fact, char* target, unsigned capacity) {
  return ask(device, fact, [&](const Json& value) {
    std::snprintf(target, capacity, "%s", value.get<std::string>().c_str());
    return nvml::kSuccess;
  });
}

nvml::Status sm_clock(nvml::Device device, unsigned kind, const std::string& fact, unsigned* mhz) {
  return kind == nvml::kClockSm ? number(device, fact, mhz) : nvml::kNotSupported;
}

}  // namespace

extern "C" {

nvml::Status nvmlInit_v2() {
  Driver& driver = the_driver();
  const std::lock_guard<std::mutex> lock(driver.mutex);
  if (driver.users == 0) {
    driver.machine = fake_driver::described_machine();
    const int status = driver.machine.value("init_status", 0);
    if (status != nvml::kSuccess) return status;
    driver.gpus.clear();
    if (driver.machine.contains("gpus")) {
      for (const Json& facts : driver.machine.at("gpus")) driver.gpus.push_back(Gpu{facts, 0});
    }
  }
  ++driver.users;
  return nvml::kSuccess;
}

nvml::Status nvmlShutdown() {
  Driver& driver = the_driver();
  const std::lock_guard<std::mutex> lock(driver.mutex);
  if (driver.users == 0) return kUninitialized;
  --driver.users;
  return nvml::kSuccess;
}

const char* nvmlErrorString(nvml::Status status) {
  if (status == nvml::kDriverNotLoaded) return "Driver Not Loaded";
  if (status == nvml::kLibraryVersionMismatch) return "Driver/library version mismatch";
  return "Unknown Error";
}

nvml::Status nvmlSystemGetDriverVersion(char* target, unsigned capacity) {
  Driver& driver = the_driver();
  const std::lock_guard<std::mutex> lock(driver.mutex);
  if (!driver.machine.contains("driver_version")) return nvml::kNotSupported;
  const auto version = driver.machine.at("driver_version").get<std::string>();
  std::snprintf(target, capacity, "%s", version.c_str());
  return nvml::kSuccess;
}

nvml::Status nvmlDeviceGetCount_v2(unsigned* count) {
  Driver& driver = the_driver();
  const std::lock_guard<std::mutex> lock(driver.mutex);
  *count = static_cast<unsigned>(driver.gpus.size());
  return nvml::kSuccess;
}

nvml::Status nvmlDeviceGetHandleByIndex_v2(unsigned index, nvml::Device* device) {
  Driver& driver = the_driver();
  const std::lock_guard<std::mutex> lock(driver.mutex);
  if (index >= driver.gpus.size()) return kInvalidArgument;
  Gpu& gpu = driver.gpus[index];
  if (is_lost(gpu)) return kGpuIsLost;
  *device = reinterpret_cast<nvml::Device>(&gpu);
  return nvml::kSuccess;
}

nvml::Status nvmlDeviceGetName(nvml::Device device, char* target, unsigned capacity) {
  return text(device, "name", target, capacity);
}

nvml::Status nvmlDeviceGetUUID(nvml::Device device, char* target, unsigned capacity) {
  return text(device, "uuid", target, capacity);
}

nvml::Status nvmlDeviceGetMemoryInfo(nvml::Device device, nvml::Memory* memory) {
  return ask(device, "memory", [&](const Json& value) {
    memory->total = value.at("total").get<unsigned long long>();
    memory->used = value.at("used").get<unsigned long long>();
    memory->free = memory->total - memory->used;
    return nvml::kSuccess;
  });
}

nvml::Status nvmlDeviceGetCudaComputeCapability(nvml::Device device, int* major, int* minor) {
  return ask(device, "compute_capability", [&](const Json& value) {
    *major = value.front().get<int>();
    *minor = value.back().get<int>();
    return nvml::kSuccess;
  });
}

nvml::Status nvmlDeviceGetClockInfo(nvml::Device device, unsigned kind, unsigned* mhz) {
  return sm_clock(device, kind, "sm_clock_mhz", mhz);
}

nvml::Status nvmlDeviceGetMaxClockInfo(nvml::Device device, unsigned kind, unsigned* mhz) {
  return sm_clock(device, kind, "max_sm_clock_mhz", mhz);
}

nvml::Status nvmlDeviceGetDefaultApplicationsClock(nvml::Device device, unsigned kind,
                                                   unsigned* mhz) {
  return sm_clock(device, kind, "default_sm_clock_mhz", mhz);
}

nvml::Status nvmlDeviceGetTemperature(nvml::Device device, unsigned sensor, unsigned* celsius) {
  if (sensor != nvml::kTemperatureGpu) return kInvalidArgument;
  return number(device, "temperature_celsius", celsius);
}

nvml::Status nvmlDeviceGetPowerUsage(nvml::Device device, unsigned* milliwatts) {
  return number(device, "power_milliwatts", milliwatts);
}

// The older name only, as drivers before CUDA 12.2 have.
nvml::Status nvmlDeviceGetCurrentClocksThrottleReasons(nvml::Device device,
                                                       unsigned long long* bits) {
  return number(device, "throttle_reasons", bits);
}

nvml::Status nvmlDeviceGetUtilizationRates(nvml::Device device,
                                           fake_driver::Utilization* utilization) {
  return ask(device, "utilization", [&](const Json& value) {
    *utilization = {value.at("gpu").get<unsigned>(), value.at("memory").get<unsigned>()};
    return nvml::kSuccess;
  });
}

nvml::Status nvmlDeviceGetMigMode(nvml::Device device, unsigned* current, unsigned* pending) {
  return ask(device, "mig", [&](const Json& value) {
    *current = *pending = value.get<bool>() ? 1U : 0U;
    return nvml::kSuccess;
  });
}

nvml::Status nvmlDeviceGetComputeRunningProcesses_v3(nvml::Device device, unsigned* count,
                                                     void* list) {
  return ask(device, "processes", [&](const Json& value) {
    const unsigned room = *count;
    *count = static_cast<unsigned>(value.size());
    if (*count > room) return nvml::kInsufficientSize;
    constexpr unsigned kNoInstance = 0xffffffff;
    auto* entry = static_cast<Process*>(list);
    for (const Json& each : value) {
      *entry++ = {each.at("pid").get<unsigned>(), each.at("memory").get<unsigned long long>(),
                  kNoInstance, kNoInstance};
    }
    return nvml::kSuccess;
  });
}

}  // extern "C"
