#pragma once

#include <vector>

#include "batchscope/attribution/attribution.hpp"

namespace batchscope::attribution {

// Steps of a trace that names none: where the kernels of the busiest stream come again in the same
// order, at least four times. A step lasts from one run of the kernel that is rarest to the next.
// Empty where nothing repeats.
std::vector<Step> inferred_steps(const trace::Trace& trace);

}  // namespace batchscope::attribution
