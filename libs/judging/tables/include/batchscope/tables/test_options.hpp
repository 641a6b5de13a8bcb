#pragma once

#include <cstddef>

#include "batchscope/findings/floors.hpp"
#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::tables {

// What intervals and tests rest on, which may be chosen before the data are seen; ratios are plain
// numbers (0.03 = 3 %).
struct TestOptions {
  // Of printed intervals; 1 - level is also the error rate of the run's family of claims.
  double level = 0.95;
  // Differences up to here are not worth a claim: dominance and departure must exceed it.
  double delta = 0.03;
  // Less gain than this is no reason to change anything: no advice, no claim of a gain.
  double practical = findings::kPractical;
  // Of comparisons and the intervals beside them. The scaling table uses Student's t, whose centre
  // is the mean that defines a configuration's time, and so do the tests across batch sizes, on
  // tables whose spikes are moved in.
  stats::Method method = stats::kDefaultMethod;
};

// With more batch sizes than this a table is not tested for sizes that depart from the law of the
// others.
inline constexpr std::size_t kMaxSizes = 31;

}  // namespace batchscope::tables
