#pragma once

#include <cstddef>
#include <string>

#include "batchscope/charts/series.hpp"
#include "chart_script.hpp"

namespace batchscope::charts {

inline constexpr int kChartWidth = 960;
// Without the legend.
inline constexpr int kChartHeight = 550;
inline constexpr int kLegendRow = 20;
// What is left of the width for the axis, about.
inline constexpr double kAxisPixels = 850;

inline constexpr const char* kReferenceLine = "lc rgb '#707070' lw 1.6 dt (10,7)";

// A box of that series: its colour, alternately shaded and hatched.
std::string box_style(std::size_t index);

inline constexpr const char* kOtherFill = "fs solid 1 border lc rgb '#404040' fc rgb '#dddddd'";

// Titles and the look of frame and grid. `subtitle` is untrusted.
void set_frame(ChartScript& script, const std::string& title, const std::string& subtitle,
               const std::string& y_title);
// Puts the legend gathered so far below the axis, in columns as wide as its longest text; returns
// the pixels it takes. To be called just before plot().
int set_legend(ChartScript& script);

}  // namespace batchscope::charts
