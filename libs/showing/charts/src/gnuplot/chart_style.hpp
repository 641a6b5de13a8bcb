#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "batchscope/charts/series.hpp"
#include "batchscope/stats/interval.hpp"
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

// Within which a size agrees with its law; lies below what is drawn after it.
inline constexpr const char* kBand =
    "with filledcurves fs transparent solid 0.14 noborder fc rgb '#707070'";

// An interval that stands upright at a place on the axis of sizes.
struct Bar {
  double x = 0, value = 0;
  stats::Interval ends;
};
// Bars that end in a cap, or in a triangle where the axis ends first; whether any does.
bool draw_bars(ChartScript& script, const std::vector<Bar>& bars, const stats::Interval& axis,
               const std::string& colour);
// Of what leaves the chart: gnuplot's filled triangles.
inline constexpr int kUpwards = 9;
inline constexpr int kDownwards = 11;
void add_clipped_legend(ChartScript& script);

inline constexpr const char* kOtherFill = "fs solid 1 border lc rgb '#404040' fc rgb '#dddddd'";

// Titles and the look of frame and grid. `subtitle` is untrusted.
void set_frame(ChartScript& script, const std::string& title, const std::string& subtitle,
               const std::string& y_title);
// Puts the legend gathered so far below the axis, in columns as wide as its longest text; returns
// the pixels it takes. To be called just before plot().
int set_legend(ChartScript& script);

}  // namespace batchscope::charts
