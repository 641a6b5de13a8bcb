#pragma once

#include <span>

#include "batchscope/findings/finding.hpp"
#include "batchscope/timing/slow_iterations.hpp"

namespace batchscope::analyze {

// A gain as fresh visits show it, by two tests. Trimmed means do not see a slow minority of visits,
// and one accident may hide a gain from plain ones: what is shown, both show; what one of them
// excludes, is excluded.
struct FreshGain {
  findings::Estimate student, trimmed;  // 0.1: 10 % more; with intervals

  double surest() const;   // the least that the gain can be
  double largest() const;  // the most
};

// Of ln ratios of the worth of one over that of the other, a pair of visits each: at least 6.
// `unseen`: of that ratio.
FreshGain fresh_gain(std::span<const double> logs, const timing::Unseen& unseen, double level);

}  // namespace batchscope::analyze
