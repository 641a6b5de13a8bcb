#pragma once

#include <optional>
#include <span>
#include <vector>

#include "batchscope/charts/scale.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// Between which ratios of times an axis goes: no difference is in the middle. Intervals never set
// it. `margin`: 0.02 is a ratio of 1.02, which has to be on it.
stats::Interval ratio_ends(std::span<const findings::Comparison> comparisons,
                           std::optional<double> margin);
// No difference, and a round share of time on either side of it, as far as there is room.
std::vector<AxisTick> ratio_ticks(const stats::Interval& ends);

}  // namespace batchscope::charts
