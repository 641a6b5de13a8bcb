#pragma once

#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "series/recorded.hpp"
#include "tables/words.hpp"

namespace batchscope::monitor_report {

// Findings that are drawn and have a card, of all.
inline constexpr size_t kMostCards = 50;

// What the page's script draws, as JSON: web/report/src/monitor/data.ts says what is what.
std::string chart_data(const std::vector<watch::ActiveFinding>& active_findings,
                       const RecordedSeries& recorded, const std::vector<Chart>& charts);

}  // namespace batchscope::monitor_report
