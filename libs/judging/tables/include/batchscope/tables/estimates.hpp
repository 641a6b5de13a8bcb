#pragma once

#include <span>

#include "batchscope/findings/finding.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/timing/slow_iterations.hpp"

namespace batchscope::tables {

// Visits are timed in ns, tables tell ms.
inline constexpr double kNsPerMs = 1e6;

// exp(centre of ln values) with its two-sided interval; the interval is absent below 2 values.
// At least 1 value.
findings::Estimate exp_estimate(std::span<const double> logs, double level, stats::Method method);

// The same estimate in another unit, or divided by a size: value and ends times `factor` > 0.
findings::Estimate scaled(const findings::Estimate& estimate, double factor);
// numerator / estimate, the ends exchanged. All > 0.
findings::Estimate inverted(const findings::Estimate& estimate, double numerator);
// estimate - 1.
findings::Estimate less_one(const findings::Estimate& estimate);
// The estimate of a mean, or of a ratio of means, > 0, with an interval that allows for what its
// visits have not seen.
findings::Estimate allowing_for(const timing::Unseen& unseen, const findings::Estimate& estimate);

}  // namespace batchscope::tables
