#pragma once

// The part of NVML's C interface that is called, declared here so that building needs no CUDA
// toolkit. Names, values and layouts as in NVIDIA's NVML API reference; functions are found with
// dlsym.

namespace batchscope::nvml {

using Device = struct DeviceHandle*;  // a GPU, or a slice of one (MIG)
using EventSet = struct EventSetHandle*;
using GpmSample = struct GpmSampleHandle*;
using Status = int;

inline constexpr Status kSuccess = 0;
inline constexpr Status kUninitialized = 1;
inline constexpr Status kInvalidArgument = 2;
inline constexpr Status kNotSupported = 3;
inline constexpr Status kNoPermission = 4;
inline constexpr Status kNotFound = 6;
inline constexpr Status kInsufficientSize = 7;
inline constexpr Status kDriverNotLoaded = 9;
inline constexpr Status kTimeout = 10;
inline constexpr Status kFunctionNotFound = 13;
inline constexpr Status kGpuIsLost = 15;
inline constexpr Status kResetRequired = 16;
inline constexpr Status kLibraryVersionMismatch = 18;
inline constexpr Status kArgumentVersionMismatch = 25;
inline constexpr Status kDeprecated = 26;
inline constexpr Status kUnknown = 999;

inline constexpr unsigned kClockSm = 1;
inline constexpr unsigned kClockMemory = 2;
inline constexpr unsigned kTemperatureGpu = 0;
inline constexpr unsigned kThresholdSlowdown = 1;
inline constexpr unsigned kFieldMemoryTemperature = 82;
inline constexpr unsigned kEccCorrected = 0;
inline constexpr unsigned kEccUncorrected = 1;
inline constexpr unsigned kEccSinceDriverLoad = 0;  // "volatile"
inline constexpr unsigned kPcieTransmit = 0;
inline constexpr unsigned kPcieReceive = 1;
inline constexpr unsigned kNameCapacity = 96;
inline constexpr unsigned kVersionCapacity = 80;

// Bits of nvmlDeviceGetCurrentClocksThrottleReasons (since CUDA 12.2 "ClocksEventReasons").
inline constexpr unsigned long long kReasonPowerCap = 0x4;
inline constexpr unsigned long long kReasonHardwareSlowdown = 0x8;
inline constexpr unsigned long long kReasonSyncBoost = 0x10;
inline constexpr unsigned long long kReasonSoftwareThermal = 0x20;
inline constexpr unsigned long long kReasonHardwareThermal = 0x40;
inline constexpr unsigned long long kReasonPowerBrake = 0x80;

// What held the clock down, as nvmlDeviceGetViolationStatus counts it.
inline constexpr unsigned kPolicyPower = 0;
inline constexpr unsigned kPolicyThermal = 1;
inline constexpr unsigned kPolicySyncBoost = 2;
inline constexpr unsigned kPolicyBoardLimit = 3;
inline constexpr unsigned kPolicyReliability = 5;

inline constexpr unsigned long long kEventXid = 0x8;

inline constexpr unsigned kGpmGraphicsActive = 1;
inline constexpr unsigned kGpmSmActive = 2;
inline constexpr unsigned kGpmSmOccupancy = 3;
inline constexpr unsigned kGpmTensorActive = 5;
inline constexpr unsigned kGpmDramActive = 10;
inline constexpr unsigned kGpmPcieTransmit = 20;
inline constexpr unsigned kGpmPcieReceive = 21;
inline constexpr unsigned kGpmNvlinkReceive = 60;
inline constexpr unsigned kGpmNvlinkTransmit = 61;

// What a struct with a version carries in its first field.
template <class Struct>
constexpr unsigned version_of(unsigned number) {
  return static_cast<unsigned>(sizeof(Struct)) | number << 24U;
}

struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;  // with what the driver keeps for itself
};

struct MemoryV2 {
  unsigned version;  // version_of<MemoryV2>(2)
  unsigned long long total;
  unsigned long long reserved;  // by the driver
  unsigned long long free;
  unsigned long long used;  // without it
};

struct PciInfo {
  unsigned others[9];  // the bus in an older form, and its numbers
  char bus_id[32];     // "00000000:65:00.0"
};

struct Utilization {
  unsigned gpu;  // percent of the time, as the next
  unsigned memory;
};

struct Violation {
  unsigned long long reference_time;  // microseconds
  unsigned long long violation_time;  // nanoseconds
};

struct FieldValue {
  unsigned field;
  unsigned scope;
  long long timestamp;
  long long latency;
  unsigned value_type;
  Status status;
  union {
    double real;
    unsigned narrow;
    unsigned long long wide;
  } value;
};

// Where the function's name ends with _v2 or _v3.
struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct Event {
  Device device;
  unsigned long long kind;
  unsigned long long data;  // of kEventXid: its number
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct GpmSupport {
  unsigned version;  // 1
  unsigned supported;
};

struct GpmMetric {
  unsigned id;
  Status status;
  double value;
  const char* short_name;  // null where the GPU has no such metric, though the status is success
  const char* long_name;
  const char* unit;
};

struct GpmMetrics {
  static constexpr unsigned kCapacity = 333;  // of the newest driver; older ones read no further
  unsigned version;                           // 1
  unsigned count;
  GpmSample earlier;
  GpmSample later;
  GpmMetric metrics[kCapacity];
};

static_assert(sizeof(MemoryV2) == 40 && sizeof(PciInfo) == 68 && sizeof(FieldValue) == 40 &&
              sizeof(Process) == 24 && sizeof(Event) == 32 && sizeof(GpmMetric) == 40);

using PlainCall = Status (*)();
using ErrorStringCall = const char* (*)(Status);
using TextCall = Status (*)(char*, unsigned);
using CountCall = Status (*)(unsigned*);
using HandleCall = Status (*)(unsigned, Device*);
using DeviceTextCall = Status (*)(Device, char*, unsigned);
using DeviceNumberCall = Status (*)(Device, unsigned*);
using DeviceWideNumberCall = Status (*)(Device, unsigned long long*);
using DevicePairCall = Status (*)(Device, unsigned*, unsigned*);
using DeviceKindNumberCall = Status (*)(Device, unsigned, unsigned*);
using DeviceMemoryCall = Status (*)(Device, Memory*);
using DeviceMemoryV2Call = Status (*)(Device, MemoryV2*);
using DevicePciCall = Status (*)(Device, PciInfo*);
using DeviceUtilizationCall = Status (*)(Device, Utilization*);
using DeviceViolationCall = Status (*)(Device, unsigned, Violation*);
using DeviceFieldsCall = Status (*)(Device, int, FieldValue*);
using DeviceEccCall = Status (*)(Device, unsigned, unsigned, unsigned long long*);
using DeviceRowsCall = Status (*)(Device, unsigned*, unsigned*, unsigned*, unsigned*);
using DeviceTwoNumbersCall = Status (*)(Device, int*, int*);
using DeviceProcessesCall = Status (*)(Device, unsigned*, void*);
using DeviceSliceCall = Status (*)(Device, unsigned, Device*);
using MakeEventSetCall = Status (*)(EventSet*);
using FreeEventSetCall = Status (*)(EventSet);
using RegisterEventsCall = Status (*)(Device, unsigned long long, EventSet);
using WaitForEventCall = Status (*)(EventSet, Event*, unsigned);
using GpmSupportCall = Status (*)(Device, GpmSupport*);
using MakeGpmSampleCall = Status (*)(GpmSample*);
using FreeGpmSampleCall = Status (*)(GpmSample);
using TakeGpmSampleCall = Status (*)(Device, GpmSample);
using TakeSliceGpmSampleCall = Status (*)(Device, unsigned, GpmSample);
using GpmMetricsCall = Status (*)(GpmMetrics*);

}  // namespace batchscope::nvml
