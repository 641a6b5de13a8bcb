#pragma once

#include "batchscope/timing/visits.hpp"

namespace batchscope::timing {

// The visits of one configuration as `warmups` says, without asking what those of this use show by
// themselves; none where the run has none.
WarmVisits cut_visits(const schema::RunFile& run, const schema::RunConfig& config, Use use,
                      const Warmups& warmups);

}  // namespace batchscope::timing
