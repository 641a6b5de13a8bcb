#pragma once

#include "batchscope/analyze/analyze.hpp"
#include "claims/claims.hpp"
#include "tables/run_view.hpp"

namespace batchscope::analyze {

// Fills Group::good_sizes and untested_sizes of the rows; group.set_aside is there, and those are
// in neither. Good: the one-sided upper bound, at the level of the options, of ln(time of the size
// / time of the cheapest other way to run as many samples) is below ln(1 + delta), by mean
// iterations within blocks with spikes moved in, and so is its centre with no spike moved in. The
// other way is chosen on the same blocks, which makes it look cheaper than it is, and the size
// worse: that errs on the safe side. Where nothing was repeated no size is good.
void fill_good_sizes(const RunView& view, const GroupData& data, const GroupClaims& claims,
                     const Options& options, findings::Group& group);

}  // namespace batchscope::analyze
