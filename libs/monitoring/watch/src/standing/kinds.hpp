#pragma once

// The kinds of findings in the catalogue that a watch tells of.
namespace batchscope::watch::kind {

inline constexpr char kGpuDown[] = "monitor.gpu-down";
inline constexpr char kXid[] = "monitor.xid";
inline constexpr char kEcc[] = "monitor.ecc";
inline constexpr char kRemapPending[] = "monitor.remap-pending";
inline constexpr char kHardwareSlowdown[] = "monitor.hardware-slowdown";
inline constexpr char kThermal[] = "monitor.thermal";
inline constexpr char kPowerCap[] = "monitor.power-cap";
inline constexpr char kPcieLink[] = "monitor.pcie-link";
inline constexpr char kPcieReplays[] = "monitor.pcie-replays";
inline constexpr char kStalled[] = "monitor.stalled";
inline constexpr char kStraggler[] = "monitor.straggler";
inline constexpr char kLoading[] = "monitor.loading";
inline constexpr char kDisk[] = "monitor.disk";
inline constexpr char kHostBound[] = "monitor.host-bound";
inline constexpr char kSynchronisation[] = "monitor.synchronisation";
inline constexpr char kSmallBatch[] = "monitor.small-batch";
inline constexpr char kMemoryBound[] = "monitor.memory-bound";
inline constexpr char kLowUse[] = "monitor.low-use";
inline constexpr char kIdle[] = "monitor.idle";
inline constexpr char kNoSteps[] = "monitor.no-steps";
inline constexpr char kGpuMemory[] = "monitor.gpu-memory";
inline constexpr char kOutOfMemory[] = "monitor.out-of-memory";
inline constexpr char kHeadroom[] = "monitor.headroom";
inline constexpr char kLeak[] = "monitor.leak";
inline constexpr char kCpuSaturated[] = "monitor.cpu-saturated";
inline constexpr char kCpuQuota[] = "monitor.cpu-quota";
inline constexpr char kSteal[] = "monitor.steal";
inline constexpr char kHostMemory[] = "monitor.host-memory";

}  // namespace batchscope::watch::kind
