#pragma once

#include <span>

#include "batchscope/schema/finding.hpp"
#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::analyze {

// exp(centre of ln values) with its two-sided interval; the interval is absent below 2 values.
// At least 1 value.
schema::Estimate exp_estimate(std::span<const double> logs, double level, stats::Method method);

// The same estimate in another unit, or divided by a size: value and ends times `factor` > 0.
schema::Estimate scaled(const schema::Estimate& estimate, double factor);
// numerator / estimate, the ends exchanged. All > 0.
schema::Estimate inverted(const schema::Estimate& estimate, double numerator);
// estimate - 1.
schema::Estimate less_one(const schema::Estimate& estimate);

}  // namespace batchscope::analyze
