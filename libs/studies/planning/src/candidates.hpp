#pragma once

#include <memory>
#include <string>
#include <vector>

#include "batchscope/planning/plan.hpp"
#include "batchscope/serving/policy.hpp"

namespace batchscope::planning {

// Settings that differ in nothing but how long they wait for more requests, the shortest wait
// first; never empty.
using Delays = std::vector<std::shared_ptr<const serving::Policy>>;

// One kind of policy, with the settings that are tried for it.
struct Candidates {
  std::string policy;
  std::vector<Delays> settings;  // by the largest batch, or the budget
};

// fixed-timeout, take-all, good-sizes, and token-budget where the table has lengths.
std::vector<Candidates> candidates_for(const MeasuredCosts& costs, const PlanRequest& request);

}  // namespace batchscope::planning
