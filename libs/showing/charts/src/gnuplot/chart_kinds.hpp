#pragma once

#include <optional>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "chart_script.hpp"

namespace batchscope::charts {

// The kinds of pictures. Nothing where the groups hold no data for one.

// forward_pass_time, forward_pass_efficiency, forward_time_per_sample, relative_slowdown,
// throughput: an estimate at each size, with its interval.
std::vector<Chart> line_charts(const findings::Summary& summary);
// answer, tuning_latency, tuning_memory: measured settings by two measures.
std::vector<Chart> scatter_charts(const findings::Summary& summary,
                                  std::optional<double> budget_ms);
// residual: how far each size is off the law of its table.
std::optional<Chart> residual_chart(const findings::Summary& summary);
// forward_pass_boxplot: single iterations, per sample.
std::optional<Chart> box_chart(const std::vector<findings::Group>& groups);
// memory: whatever peaks were recorded.
std::optional<Chart> memory_chart(const std::vector<findings::Group>& groups);
// time_breakdown: the phases' shares of an iteration, one panel a group. Not of a single phase.
std::optional<Chart> breakdown_chart(const std::vector<findings::Group>& groups);

}  // namespace batchscope::charts
