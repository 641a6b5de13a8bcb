#pragma once

#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::analyze {

// What a run tells about training beyond its times, read off the rows and comparisons, with status
// `measured`: losses that depart between precisions, what checkpointing saves and costs, and where
// the optimizer takes over a fifth of a step.
std::vector<findings::Finding> training_findings(const findings::Summary& summary);

// Says beside each recommendation that its loss departs, where `findings` tell so.
void add_loss_doubts(const std::vector<findings::Finding>& findings,
                     std::vector<findings::Recommendation>& recommendations);

findings::Catalogue training_kinds();

}  // namespace batchscope::analyze
