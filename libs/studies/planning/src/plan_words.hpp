#pragma once

#include <string>
#include <vector>

#include "batchscope/planning/plan.hpp"

namespace batchscope::planning {

std::string in_words(int instances);                    // "1 instance"
std::string how_much_more(double value, double bound);  // "20 % more", "9.3 times as much"

// Lengths of requests, given or recorded; {1} where there are none.
std::vector<int64_t> lengths_seen(const PlanRequest& request);

// What a reader of the plan has to know: what was not measured, and which policy lies in it.
std::vector<std::string> warnings_of(const CapacityPlan& plan, const MeasuredCosts& costs,
                                     const PlanRequest& request);
// What to do, in a sentence or two; or what binds, and by how much.
std::string message_of(const CapacityPlan& plan);

}  // namespace batchscope::planning
