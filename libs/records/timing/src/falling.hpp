#pragma once

#include <span>

#include "batchscope/timing/steady_visit.hpp"

namespace batchscope::timing {

// By how much the iterations of a configuration may become shorter yet, in ln units: those in the
// second half of its visits, without warm-up, take less time than those in the first. 0 where that
// may be chance, or is too little to matter.
double may_fall_by(std::span<const SteadyVisit> visits);

}  // namespace batchscope::timing
