#pragma once

#include "batchscope/tables/run_view.hpp"

namespace batchscope::analyze {

// How long a visit has to be timed, s, so that it shows what those of the run are too short for:
// several of the slow iterations that its models have, at the configuration whose iterations take
// the longest, as many as leave little that a visit may have missed, and the end of a warm-up that
// had not ended. At least twice what visits take now, at most ten minutes.
int longer_visit_s(const tables::RunView& view);

}  // namespace batchscope::analyze
