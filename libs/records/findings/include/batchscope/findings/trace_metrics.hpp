#pragma once

#include "batchscope/findings/metrics.hpp"

namespace batchscope::findings::metric {

// Of findings on traces. "The time" of a device is that of the recorded steps; without steps that
// from the first thing it did to the end of the last.
inline constexpr Metric kLoadingIdle{
    "idle_data_loading", kRatioUnit,
    "Share of the device's time in which it did nothing and the host waited for data."};
inline constexpr Metric kSynchronisationIdle{
    "idle_synchronisation", kRatioUnit,
    "Share of the device's time in which it did nothing because the host waited for it."};
inline constexpr Metric kLaunchIdle{
    "idle_launch", kRatioUnit,
    "Share of the device's time in which it did nothing and the host launched."};
inline constexpr Metric kHostIdle{
    "idle_host", kRatioUnit,
    "Share of the device's time in which it did nothing and the host did something else."};
inline constexpr Metric kDeviceIdle{
    "idle_device", kRatioUnit,
    "Share of the device's time in which it did nothing although the host had launched in time."};
inline constexpr Metric kLostLaunches{
    "lost_launches", kRatioUnit,
    "Launches of kernels and graphs whose work the trace does not hold, as a share of all."};
inline constexpr Metric kHiddenTime{
    "hidden_time", kRatioUnit,
    "Share of the device's time in which work may have run that was not recorded."};
inline constexpr Metric kCapturedLaunches{
    "captured_launches", kRatioUnit,
    "Launches that a graph's capture recorded, which run nothing, as a share of all."};
inline constexpr Metric kDeviceBusy{"device_busy", kRatioUnit,
                                    "Share of the device's time in which it did something."};
inline constexpr Metric kMedianKernel{"median_kernel", "us", "Median duration of a kernel."};
inline constexpr Metric kSmallLaunchShare{
    "small_launch_share", kRatioUnit,
    "Share of the kernels' time in launches that cannot fill the device."};
inline constexpr Metric kExposedMemcpy{
    "exposed_memcpy", kRatioUnit,
    "Share of the device's time in which it only copied, or set memory."};
inline constexpr Metric kPageableCopies{
    "pageable_copies", kRatioUnit,
    "Time of copies from or to memory that is not pinned, as a share of the device's time."};
inline constexpr Metric kExposedCommunication{
    "exposed_communication", kRatioUnit,
    "Share of the device's time in which it only talked to other devices."};
inline constexpr Metric kFullPrecisionShare{
    "full_precision_share", kRatioUnit,
    "Share of the kernels' time in products and convolutions in fp32."};
inline constexpr Metric kKernelShare{"kernel_share", kRatioUnit,
                                     "Share of the kernels' time in that one kernel."};
inline constexpr Metric kKernelCalls{"kernel_calls", "calls", "How often that kernel ran."};
inline constexpr Metric kMemoryAStep{"memory_growth", "MB",
                                     "Growth of the memory at the end of a step, a step."};
inline constexpr Metric kPeakMemory{"peak_memory", kRatioUnit,
                                    "Peak of allocated memory, as a share of the device's."};
inline constexpr Metric kActivationShare{
    "activation_share", kRatioUnit,
    "Memory that a step adds and gives back, as a share of the peak."};
inline constexpr Metric kReservedOverAllocated{
    "reserved_over_allocated", "factor",
    "Peak of what the allocator holds of the device, over the peak of what is in use."};
inline constexpr Metric kAllocationShare{"allocation_share", kRatioUnit,
                                         "Idle time of the device during calls that get or return "
                                         "memory of it, as a share of its time."};
inline constexpr Metric kWarmUpShare{
    "warm_up_share", kRatioUnit,
    "Time of loading modules, compiling and trying algorithms, as a share of the device's time."};
inline constexpr Metric kWaitedForRanks{
    "waited_for_ranks", kRatioUnit,
    "Share of their time that the other ranks waited in the collectives to which that rank came "
    "last, a mean over them."};
inline constexpr Metric kLastToArrive{
    "last_to_arrive", kRatioUnit,
    "Share of the collectives to which that rank came last: the shortest duration is the last's."};
inline constexpr Metric kRecorderShare{
    "recorder_share", kRatioUnit,
    "Time of the recorder's own events, as a share of the device's time."};

// Of the host, where no device was recorded: "the time" is that of the steps, or of all.
inline constexpr Metric kHostLoading{
    "host_loading", kRatioUnit,
    "Share of the host's time in which it made samples or waited for them."};
inline constexpr Metric kHostCommunication{
    "host_communication", kRatioUnit,
    "Share of the host's time in which it talked to other processes."};
inline constexpr Metric kHostUnrecorded{"host_unrecorded", kRatioUnit,
                                        "Share of the host's time in which nothing was recorded."};
inline constexpr Metric kHostOperator{"host_operator", kRatioUnit,
                                      "Share of the operators' own time in that one operator."};
inline constexpr Metric kHostLongSteps{
    "host_long_steps", kRatioUnit,
    "Share of the steps' time that steps far longer than the median take beyond it."};
inline constexpr Metric kHostAlone{
    "host_alone", kRatioUnit,
    "Share of the time in which threads of the host are at work in which only one is."};

}  // namespace batchscope::findings::metric
