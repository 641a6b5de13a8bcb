#pragma once

#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::compare {

// What each way to make a step of so many samples does a second and how much memory it takes, one
// finding for each number of samples that was made in more than one way.
std::vector<findings::Finding> accumulation_findings(const findings::Summary& summary);
findings::FindingKind accumulation_kind();

}  // namespace batchscope::compare
