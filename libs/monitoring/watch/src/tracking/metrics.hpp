#pragma once

#include "batchscope/findings/metrics.hpp"

// Numbers beside findings of several rules; that of one rule is beside it. "The window" is the time
// that was judged.
namespace batchscope::watch::metric {

using findings::Metric;

inline constexpr Metric kGpuBusy{
    "gpu_busy", "Share of the window in which some kernel ran; not how much it used."};
inline constexpr Metric kSmActive{"sm_active",
                                  "Share of cycles in which a multiprocessor had work, a mean."};
inline constexpr Metric kPowerShare{"power_share",
                                    "Power drawn by the GPU, as a share of its limit."};
inline constexpr Metric kCpuBusy{"cpu_busy",
                                 "Share of the time of the CPUs that was spent working."};
inline constexpr Metric kLinkShare{"link_share",
                                   "Rate of the PCIe link, as a share of the best it had."};

}  // namespace batchscope::watch::metric
