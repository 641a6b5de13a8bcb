#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/charts/charts.hpp"
#include "chart_script.hpp"

namespace batchscope::charts {

// Draws the charts by one gnuplot process into `folder` (created when missing), and removes older
// ones called any of `names` first. Returns the files written. Errors: failed (gnuplot missing or
// refused its input, folder not writable).
base::Result<std::vector<std::filesystem::path>> draw_charts(const std::vector<Chart>& charts,
                                                             std::span<const char* const> names,
                                                             const std::filesystem::path& folder,
                                                             const ChartOptions& options);

}  // namespace batchscope::charts
