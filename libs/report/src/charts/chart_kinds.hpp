#pragma once

#include <optional>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "chart_script.hpp"

namespace batchscope::report {

// The kinds of pictures. Nothing where the groups hold no data for one.

// forward_pass_time, forward_pass_efficiency, forward_time_per_sample, relative_slowdown,
// throughput: an estimate at each size, with its interval.
std::vector<Chart> line_charts(const std::vector<findings::Group>& groups);
// forward_pass_boxplot: single iterations, per sample.
std::optional<Chart> box_chart(const std::vector<findings::Group>& groups);
// memory: whatever peaks were recorded.
std::optional<Chart> memory_chart(const std::vector<findings::Group>& groups);
// time_breakdown: the phases' shares of an iteration, one panel a group.
std::optional<Chart> breakdown_chart(const std::vector<findings::Group>& groups);

}  // namespace batchscope::report
