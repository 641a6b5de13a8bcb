#pragma once

#include <string>

#include "batchscope/planning/plan.hpp"
#include "batchscope/report/text.hpp"

namespace batchscope::report {

// A plan for a reader at a terminal: what was asked for, a table by policy, what to do, warnings.
std::string plan_text(const planning::CapacityPlan& plan, const document::TextStyle& style = {});
// docs/reference/schema/plan.schema.json
std::string plan_json(const planning::CapacityPlan& plan);

}  // namespace batchscope::report
