// A libnvidia-ml for tests: GPU 0 answers everything, GPU 1 supports nothing, GPU 2 is lost.
// FAKE_INIT_STATUS is what nvmlInit_v2 returns.
#include <cstring>

#include "nvml_abi.hpp"

namespace nvml = batchscope::device::nvml;

namespace {

constexpr nvml::Status kGpuIsLost = 15;
int gpus[2];

bool full(nvml::Device device) {
  return device == reinterpret_cast<nvml::Device>(&gpus[0]);
}

template <class T>
nvml::Status answer(nvml::Device device, T* target, T value) {
  if (!full(device)) return nvml::kNotSupported;
  *target = value;
  return nvml::kSuccess;
}

nvml::Status text(nvml::Device device, char* target, unsigned capacity, const char* value) {
  if (!full(device)) return nvml::kNotSupported;
  std::strncpy(target, value, capacity);
  return nvml::kSuccess;
}

}  // namespace

extern "C" {

nvml::Status nvmlInit_v2() {
  return FAKE_INIT_STATUS;
}
nvml::Status nvmlShutdown() {
  return nvml::kSuccess;
}
const char* nvmlErrorString(nvml::Status) {
  return "Driver Not Loaded";
}
nvml::Status nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 3;
  return nvml::kSuccess;
}
nvml::Status nvmlDeviceGetHandleByIndex_v2(unsigned index, nvml::Device* device) {
  if (index > 1) return kGpuIsLost;
  *device = reinterpret_cast<nvml::Device>(&gpus[index]);
  return nvml::kSuccess;
}
nvml::Status nvmlSystemGetDriverVersion(char* target, unsigned capacity) {
  std::strncpy(target, "580.65.06", capacity);
  return nvml::kSuccess;
}
nvml::Status nvmlDeviceGetName(nvml::Device device, char* target, unsigned capacity) {
  // GPU 1 still has a name: it is there, it only measures nothing.
  if (!full(device)) std::strncpy(target, "NVIDIA Plain", capacity);
  return full(device) ? text(device, target, capacity, "NVIDIA H200") : nvml::kSuccess;
}
nvml::Status nvmlDeviceGetUUID(nvml::Device device, char* target, unsigned capacity) {
  return text(device, target, capacity, "GPU-0a1b");
}
nvml::Status nvmlDeviceGetMemoryInfo(nvml::Device device, nvml::Memory* memory) {
  return answer(device, memory, nvml::Memory{1000, 400, 600});
}
nvml::Status nvmlDeviceGetCudaComputeCapability(nvml::Device device, int* major, int* minor) {
  *minor = 0;
  return answer(device, major, 9);
}
nvml::Status nvmlDeviceGetClockInfo(nvml::Device device, unsigned kind, unsigned* mhz) {
  return answer(device, mhz, kind == nvml::kClockSm ? 1200U : 0U);
}
nvml::Status nvmlDeviceGetMaxClockInfo(nvml::Device device, unsigned kind, unsigned* mhz) {
  return answer(device, mhz, kind == nvml::kClockSm ? 1980U : 0U);
}
nvml::Status nvmlDeviceGetDefaultApplicationsClock(nvml::Device device, unsigned, unsigned* mhz) {
  return answer(device, mhz, 1830U);
}
nvml::Status nvmlDeviceGetTemperature(nvml::Device device, unsigned, unsigned* celsius) {
  return answer(device, celsius, 41U);
}
nvml::Status nvmlDeviceGetPowerUsage(nvml::Device device, unsigned* milliwatts) {
  return answer(device, milliwatts, 123500U);
}
// The older name only, as drivers before CUDA 12.2 have.
nvml::Status nvmlDeviceGetCurrentClocksThrottleReasons(nvml::Device device,
                                                       unsigned long long* bits) {
  return answer(device, bits, nvml::kReasonPowerCap | nvml::kReasonIdle | 0x8000ULL);
}
nvml::Status nvmlDeviceGetComputeRunningProcesses_v3(nvml::Device device, unsigned* count, void*) {
  if (!full(device)) return nvml::kNotSupported;
  *count = 2;
  return nvml::kInsufficientSize;
}

}  // extern "C"
