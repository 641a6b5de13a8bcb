#pragma once

#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::causes {

// Confirms each finding that training waits for its loader by a comparison, where one proves
// another number of workers faster at that size.
void confirm_loading(const std::vector<findings::Comparison>& comparisons,
                     std::vector<findings::Finding>& findings);

}  // namespace batchscope::causes
