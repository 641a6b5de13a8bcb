#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::planning {
struct CapacityPlan;
}  // namespace batchscope::planning

namespace batchscope::charts {

struct ChartOptions {
  // Makes a .png of each .svg where PATH has it.
  std::string converter = "rsvg-convert";
  // A line in the chart of throughput and latency; of a search its own is drawn.
  std::optional<double> latency_budget_ms{};
};

// Draws tuning_latency and tuning_memory or else answer, then forward_pass_time,
// forward_pass_efficiency, forward_time_per_sample, relative_slowdown, residual,
// forward_pass_boxplot, throughput, memory and time_breakdown as .svg in `folder` (created when
// missing, older charts of these names replaced). A chart without data is left out. Returns the
// files written, in that order.
// Errors: failed (folder not writable, nothing to draw, the converter failed).
base::Result<std::vector<std::filesystem::path>> write_charts(const findings::Summary& summary,
                                                              const std::filesystem::path& folder,
                                                              const ChartOptions& options = {});

// latency_by_load: latency against the rate, a line a policy, with the rate and the bound of the
// plan. Needs a plan with curves. Errors: as write_charts.
base::Result<std::vector<std::filesystem::path>> write_plan_charts(
    const planning::CapacityPlan& plan, const std::filesystem::path& folder,
    const ChartOptions& options = {});

// "9 charts in run_charts", and how to get them as PNG where nothing makes these.
std::string what_was_written(const std::vector<std::filesystem::path>& files,
                             const std::filesystem::path& folder);

}  // namespace batchscope::charts
