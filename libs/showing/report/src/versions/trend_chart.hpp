#pragma once

#include <string>

#include "batchscope/findings/trend.hpp"

namespace batchscope::report {

// One series as an SVG element: a dot a run, a line a level, and behind them the runs with which
// each change may have begun.
std::string trend_chart(const findings::Trend& trend, const findings::TrendSeries& series);

}  // namespace batchscope::report
