#pragma once

#include <vector>

#include "batchscope/schema/summary.hpp"

namespace batchscope::analyze {

// Confirms each finding that training waits for its loader by a comparison, where one proves
// another number of workers faster at that size.
void confirm_loading(const std::vector<schema::Comparison>& comparisons,
                     std::vector<schema::Finding>& findings);

}  // namespace batchscope::analyze
