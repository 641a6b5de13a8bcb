#pragma once

#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// Below so many visits an interval is wider than what it stands beside: it is not drawn.
inline constexpr int kFewestForIntervals = 3;

// The estimate as it is drawn.
inline findings::Estimate supported(const findings::ConfigRow& row,
                                    const findings::Estimate& estimate) {
  if (row.n >= kFewestForIntervals) return estimate;
  return {estimate.value, {}};
}

}  // namespace batchscope::charts
