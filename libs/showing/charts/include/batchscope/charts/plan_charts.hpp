#pragma once

#include <filesystem>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/charts/charts.hpp"
#include "batchscope/planning/plan.hpp"

namespace batchscope::charts {

// latency_by_load: latency against the rate, a line a policy, with the rate and the bound of the
// plan; as .png and .svg in `folder`. Needs a plan with curves. Errors: as write_charts.
base::Result<std::vector<std::filesystem::path>> write_plan_charts(
    const planning::CapacityPlan& plan, const std::filesystem::path& folder,
    const ChartOptions& options = {});

}  // namespace batchscope::charts
