#pragma once

#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/serving/step_plan.hpp"

namespace batchscope::planning {

// What a run file says of the batches of a training: the sizes that are not proven slower than a
// split, their measured times, and as budgets the largest batch and the most padded tokens that
// were measured (none where the run has no lengths). Of its training visits, or of all where it has
// none. Errors: as measured_costs.
base::Result<serving::BatchSamplerOptions> training_sizes(const findings::Summary& summary,
                                                          std::string_view where);

}  // namespace batchscope::planning
