#pragma once

#include <cstddef>
#include <string>

#include "batchscope/monitor_report/screen_history.hpp"
#include "text/line.hpp"

namespace batchscope::monitor_report {

// A curve of ratios in `width` columns, the newest at the right; a blank where nothing was said.
std::string sparkline(const Curve& curve, std::size_t width, const Look& look);

// A ratio as the filled part of `width` columns.
std::string bar(double ratio, std::size_t width, const Look& look);

}  // namespace batchscope::monitor_report
