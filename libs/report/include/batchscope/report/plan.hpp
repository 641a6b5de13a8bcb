#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/planning/plan.hpp"
#include "batchscope/report/charts.hpp"
#include "batchscope/report/text.hpp"

namespace batchscope::report {

// A plan for a reader at a terminal: what was asked for, a table by policy, what to do, warnings.
std::string plan_text(const planning::CapacityPlan& plan, const TextStyle& style = {});

// latency_by_load: latency against the rate, a line a policy, with the rate and the bound of the
// plan; as .png and .svg in `folder`. Needs a plan with curves. Errors: as write_charts.
base::Result<std::vector<std::filesystem::path>> write_plan_charts(
    const planning::CapacityPlan& plan, const std::filesystem::path& folder,
    const ChartOptions& options = {});

}  // namespace batchscope::report
