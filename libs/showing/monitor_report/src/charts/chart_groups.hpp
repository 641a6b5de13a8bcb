#pragma once

#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "series/recorded.hpp"

namespace batchscope::monitor_report {

// Each group as it may be; lines without any value are still in it.
std::vector<Chart> training_charts(const RecordedSeries& recorded);
std::vector<Chart> gpu_charts(const RecordedSeries& recorded, const std::vector<std::string>& gpus);
std::vector<Chart> host_charts(const RecordedSeries& recorded);

}  // namespace batchscope::monitor_report
