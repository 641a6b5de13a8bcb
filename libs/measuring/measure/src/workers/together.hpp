#pragma once

#include <vector>

#include "batchscope/schema/visit.hpp"

namespace batchscope::measure {

// One visit of what several instances did at the same time: their times one after the other, the
// sums of their phases, usage and memory (absent where one does not say), the mean of their losses,
// the longest load and wall time. One alone stays as it is. At least one.
schema::Visit together(std::vector<schema::Visit> instances);

}  // namespace batchscope::measure
