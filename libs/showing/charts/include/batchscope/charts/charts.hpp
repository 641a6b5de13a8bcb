#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

struct ChartOptions {
  bool png = true;
  bool svg = true;
  std::string gnuplot = "gnuplot";  // the program, looked up in PATH
  // A line in the chart of throughput and latency; of a search its own is drawn.
  std::optional<double> latency_budget_ms{};
};

// Draws, by one gnuplot process, tuning_latency and tuning_memory or else answer, then
// forward_pass_time, forward_pass_efficiency, forward_time_per_sample, relative_slowdown, residual,
// forward_pass_boxplot, throughput, memory and time_breakdown, each as .png and .svg in `folder`
// (created when missing, older charts of these names replaced). A chart without data is left out.
// Returns the files written, in that order.
// Errors: failed (gnuplot missing or refused its input, folder not writable, nothing to draw).
base::Result<std::vector<std::filesystem::path>> write_charts(const findings::Summary& summary,
                                                              const std::filesystem::path& folder,
                                                              const ChartOptions& options = {});

}  // namespace batchscope::charts
