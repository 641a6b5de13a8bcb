#pragma once

#include "batchscope/findings/metrics.hpp"

namespace batchscope::findings::metric {

// Of findings on a machine that is watched. "The window" is the time that was judged.
inline constexpr Metric kGpuBusy{
    "gpu_busy", kRatioUnit, "Share of the window in which some kernel ran; not how much it used."};
inline constexpr Metric kBusySpread{"gpu_busy_spread", kRatioUnit,
                                    "Standard deviation of the readings of gpu_busy."};
inline constexpr Metric kSmActive{"sm_active", kRatioUnit,
                                  "Share of cycles in which a multiprocessor had work, a mean."};
inline constexpr Metric kTensorActive{"tensor_active", kRatioUnit,
                                      "Share of cycles in which tensor cores worked."};
inline constexpr Metric kDramActive{"dram_active", kRatioUnit,
                                    "Share of the bandwidth of device memory that was used."};
inline constexpr Metric kGpuMemory{"gpu_memory", kRatioUnit,
                                   "Device memory in use, as a share of all, at its highest."};
inline constexpr Metric kPowerShare{"power_share", kRatioUnit,
                                    "Power drawn by the GPU, as a share of its limit."};
inline constexpr Metric kClockShare{
    "clock_share", kRatioUnit,
    "Clock of the multiprocessors while busy, as a share of the highest."};
inline constexpr Metric kTemperature{"temperature", "celsius", "Temperature of the GPU, a mean."};
inline constexpr Metric kBrakedShare{"throttled_share", kRatioUnit,
                                     "Share of the window in which the clock was held down."};
inline constexpr Metric kClockLost{
    "clock_lost", kRatioUnit,
    "Speed that the lower clock costs at most: clock_share short of 1, in the throttled time."};
inline constexpr Metric kLoadingOfStep{"loading_of_step", kRatioUnit,
                                       "Share of the steps' time spent waiting for the batch."};
inline constexpr Metric kWorkerCpu{"worker_cpu", kRatioUnit,
                                   "Share of a CPU that each process beside the training used."};
inline constexpr Metric kBusiestThread{"busiest_thread", kRatioUnit,
                                       "Share of a CPU that the busiest thread used."};
inline constexpr Metric kHottestCore{"hottest_core", kRatioUnit,
                                     "Share of the window in which the busiest CPU was at work."};
inline constexpr Metric kIoPressure{"io_pressure", kRatioUnit,
                                    "Share of the window in which some thread waited for disks."};
inline constexpr Metric kIoWait{"io_wait", kRatioUnit,
                                "Time of the CPUs that was idle because work waited for disks."};
inline constexpr Metric kProcessIoWait{
    "process_io_wait", kRatioUnit, "Time that the process spent waiting for disks, of the window."};
inline constexpr Metric kCpuBusy{"cpu_busy", kRatioUnit,
                                 "Share of the time of the CPUs that was spent working."};
inline constexpr Metric kCpuPressure{"cpu_pressure", kRatioUnit,
                                     "Share of the window in which some ready thread had no CPU."};
inline constexpr Metric kQuotaThrottled{"quota_throttled", kRatioUnit,
                                        "Share of the quota's periods in which it stopped work."};
inline constexpr Metric kCpuSteal{"cpu_steal", kRatioUnit,
                                  "Time of the CPUs that the hypervisor gave to other guests."};
inline constexpr Metric kHostMemory{
    "host_memory", kRatioUnit,
    "Memory of the machine, or of the cgroup, in use, as a share of all, at its highest."};
inline constexpr Metric kMemoryPressure{
    "memory_pressure", kRatioUnit, "Share of the window in which some thread waited for memory."};
inline constexpr Metric kSwapGrowth{"swap_growth", "bytes",
                                    "By how much the swap space in use grew in the window."};
inline constexpr Metric kGrowthAnHour{"growth_an_hour", "bytes",
                                      "Memory by which it rises an hour (Theil and Sen)."};
inline constexpr Metric kTimeUntilFull{"time_until_full", "s",
                                       "Time until memory is full at this rate."};
inline constexpr Metric kAgainstOthers{
    "against_others", kRatioUnit,
    "Clock or power of the GPU over the median of those that it works with, or how much more of "
    "the time than their median it is busy: the first of these that stands out."};
inline constexpr Metric kXidErrors{"xid_errors", "errors",
                                   "How often the driver told of that error (XID)."};
inline constexpr Metric kUncorrectedErrors{"uncorrected_errors", "errors",
                                           "Errors of device memory that could not be corrected."};
inline constexpr Metric kLinkShare{"link_share", kRatioUnit,
                                   "Rate of the PCIe link, as a share of the best it had."};
inline constexpr Metric kReplaysAMinute{"pcie_replays", "a minute",
                                        "Packets that were sent again over PCIe."};
inline constexpr Metric kPossibleBatch{"possible_batch", "samples",
                                       "Batch size that memory has room for."};

}  // namespace batchscope::findings::metric
