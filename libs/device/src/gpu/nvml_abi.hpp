#pragma once

// The part of NVML's C interface that is called, declared here so that building needs no CUDA
// toolkit. Names and values as in NVIDIA's NVML API reference; functions are found with dlsym.

namespace batchscope::device::nvml {

using Device = struct DeviceHandle*;
using Status = int;

inline constexpr Status kSuccess = 0;
inline constexpr Status kNotSupported = 3;
inline constexpr Status kInsufficientSize = 7;
inline constexpr Status kDriverNotLoaded = 9;
inline constexpr Status kLibraryVersionMismatch = 18;

inline constexpr unsigned kClockSm = 1;
inline constexpr unsigned kTemperatureGpu = 0;
inline constexpr unsigned kNameCapacity = 96;
inline constexpr unsigned kVersionCapacity = 80;

// Bits of nvmlDeviceGetCurrentClocksThrottleReasons (since CUDA 12.2 "ClocksEventReasons").
inline constexpr unsigned long long kReasonIdle = 0x1;
inline constexpr unsigned long long kReasonApplicationClocks = 0x2;
inline constexpr unsigned long long kReasonPowerCap = 0x4;
inline constexpr unsigned long long kReasonHardwareSlowdown = 0x8;
inline constexpr unsigned long long kReasonSyncBoost = 0x10;
inline constexpr unsigned long long kReasonSoftwareThermal = 0x20;
inline constexpr unsigned long long kReasonHardwareThermal = 0x40;
inline constexpr unsigned long long kReasonPowerBrake = 0x80;
inline constexpr unsigned long long kReasonDisplayClocks = 0x100;

struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

using PlainCall = Status (*)();
using ErrorStringCall = const char* (*)(Status);
using TextCall = Status (*)(char*, unsigned);
using CountCall = Status (*)(unsigned*);
using HandleCall = Status (*)(unsigned, Device*);
using DeviceTextCall = Status (*)(Device, char*, unsigned);
using DeviceNumberCall = Status (*)(Device, unsigned*);
using DevicePairCall = Status (*)(Device, unsigned*, unsigned*);
using DeviceKindNumberCall = Status (*)(Device, unsigned, unsigned*);
using DeviceBitsCall = Status (*)(Device, unsigned long long*);
using DeviceMemoryCall = Status (*)(Device, Memory*);
using DeviceTwoNumbersCall = Status (*)(Device, int*, int*);
using DeviceProcessesCall = Status (*)(Device, unsigned*, void*);

}  // namespace batchscope::device::nvml
