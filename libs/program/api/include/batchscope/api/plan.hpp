#pragma once

#include <string>

#include "batchscope/base/result.hpp"
#include "batchscope/planning/measured_costs.hpp"
#include "batchscope/planning/plan.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::api {

struct PlanOptions {
  // Which configurations of the run are meant. Of several numbers of copies that were measured,
  // where it names none, that of the request's instances, else the smallest.
  planning::CostSelection selection{};
  planning::PlanRequest request{};
};

// Which batching policy, with which settings, on how many instances: simulates requests over the
// measured times of the run, called `name`. Of a tuning run those of the setting that it
// recommends, which the plan's warnings say, unless the selection names a setting. Errors: input (a
// tuning run that recommends none), and those of planning::measured_costs and planning::plan.
base::Result<planning::CapacityPlan> plan(const schema::RunFile& run, const std::string& name,
                                          const PlanOptions& options);

}  // namespace batchscope::api
