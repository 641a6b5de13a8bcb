#pragma once

#include "batchscope/base/result.hpp"
#include "batchscope/planning/plan.hpp"

namespace batchscope::planning {

// More are nobody's plan.
inline constexpr double kMostInstances = 100'000;

// The largest batch that a plan forms: what a policy chooses from, and the queue that tells its
// capacity, grow with it.
inline constexpr int64_t kLargestPlannedBatch = 4096;

// What has to hold before anything is simulated. Errors: as plan().
base::Result<void> check_request(const MeasuredCosts& costs, const PlanRequest& request);

// Requests of a simulated series: those of a recording, or as many as wanted.
std::size_t requests_of(const PlanRequest& request);
// As many as hold `bursts` bursts at `rate_per_s` on average, within `fewest` and `most`; `fewest`
// where requests do not come in bursts.
std::size_t requests_with_bursts(const PlanRequest& request, double rate_per_s, double bursts,
                                 std::size_t fewest, std::size_t most);
// Of those of a series, those that are counted: the others fill the system.
std::size_t counted_of(const PlanRequest& request);
// The 0.99 quantile of what a request takes without any queue, in seconds.
double alone_p99_s(const MeasuredCosts& costs, const PlanRequest& request);
// How many bursts a series sees on average; nullopt: requests do not come in bursts.
std::optional<double> bursts_of(const PlanRequest& request);

}  // namespace batchscope::planning
