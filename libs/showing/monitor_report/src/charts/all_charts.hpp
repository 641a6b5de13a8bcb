#pragma once

#include <span>
#include <vector>

#include "batchscope/watch/active_finding.hpp"
#include "charts/chart.hpp"
#include "series/recorded.hpp"

namespace batchscope::monitor_report {

// A chart tells so many lines apart.
inline constexpr size_t kMostLines = 8;

// The GPUs that are drawn: all of them where they are few, else those that findings name first.
std::vector<std::string> drawn_gpus(const RecordedSeries& recorded,
                                    std::span<const watch::ActiveFinding> active_findings);

// In the order of the page; what has no value is left out.
std::vector<Chart> all_charts(const RecordedSeries& recorded,
                              std::span<const watch::ActiveFinding> active_findings);

}  // namespace batchscope::monitor_report
