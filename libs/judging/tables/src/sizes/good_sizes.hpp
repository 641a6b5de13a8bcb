#pragma once

#include "batchscope/findings/summary.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/test_options.hpp"
#include "claims/claims.hpp"

namespace batchscope::tables {

// Fills Group::good_sizes and untested_sizes of the rows; group.set_aside is there, and those are
// in neither. Good: the one-sided upper bound, at the level of the options, of ln(time of the size
// / time of the cheapest other way to run as many samples) is below ln(1 + delta), by mean
// iterations within blocks with spikes moved in, and so is its centre with no spike moved in. The
// other way is chosen on the same blocks, which makes it look cheaper than it is, and the size
// worse: that errs on the safe side. Where nothing was repeated no size is good.
void fill_good_sizes(const RunView& view, const GroupData& data, const GroupClaims& claims,
                     const TestOptions& options, findings::Group& group);

}  // namespace batchscope::tables
