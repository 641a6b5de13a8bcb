#pragma once

#include "batchscope/findings/metrics.hpp"

// Numbers beside findings of several rules; that of one rule is beside it. "The window" is the time
// that was judged.
namespace batchscope::watch::metric {

using findings::Metric;

inline constexpr Metric kGpuBusy{"gpu_busy",
                                 "Share of the window in which a kernel ran, however small."};
inline constexpr Metric kSmActive{"sm_active",
                                  "Mean share of cycles in which a multiprocessor had work."};
inline constexpr Metric kPowerShare{"power_share",
                                    "Power drawn by the GPU, as a share of its limit."};
inline constexpr Metric kCpuBusy{"cpu_busy", "Share of CPU time spent working."};
inline constexpr Metric kLinkShare{"link_share",
                                   "Rate of the PCIe link, as a share of its best rate."};

}  // namespace batchscope::watch::metric
