#pragma once

#include "batchscope/analyze/analyze.hpp"
#include "run_view.hpp"

namespace batchscope::analyze {

// Holds a recommendation against the visits of purpose `verify`, which took no part in choosing it:
// the best of many sizes looks better than it is. Verified when they show more throughput than the
// baseline (one-sided, at the level of the options, at least 6 pairs); withdrawn when they do not,
// or when their mean time is above the latency budget.
// Without such visits, or without a gain to verify, it stays as it is.
void verify(schema::Recommendation& pick, const RunView& view, const Options& options);

}  // namespace batchscope::analyze
