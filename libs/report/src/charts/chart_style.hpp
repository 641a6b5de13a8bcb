#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "chart_script.hpp"

namespace batchscope::report {

inline constexpr int kChartWidth = 960;
// Without the legend.
inline constexpr int kChartHeight = 550;
inline constexpr int kLegendRow = 20;
// What is left of the width for the axis, about.
inline constexpr double kAxisPixels = 850;

inline constexpr const char* kReferenceLine = "lc rgb '#707070' lw 1.6 dt (10,7)";

// How a series looks: told apart by marker, dash and luminance, so that grey is enough.
struct SeriesStyle {
  const char* colour;
  const char* dash;
  int filled;  // gnuplot's point type, and the same shape as an outline
  int hollow;
};
const SeriesStyle& series_style(std::size_t index);

// A box of that series: its colour, alternately shaded and hatched.
std::string box_style(std::size_t index);

// How a stacked piece is filled, alternately solid and hatched, neighbours of other luminance.
std::string fill_style(std::size_t index);
const char* fill_colour(std::size_t index);
inline constexpr const char* kOtherColour = "#dddddd";
inline constexpr const char* kOtherFill = "fs solid 1 border lc rgb '#404040' fc rgb '#dddddd'";

// The configuration in words: what all groups share, and what tells each apart (empty for a group
// alone).
struct SeriesNames {
  std::string common;
  std::vector<std::string> own;
};
SeriesNames series_names(const std::vector<findings::Group>& groups);

// Titles and the look of frame and grid. `subtitle` is untrusted.
void set_frame(ChartScript& script, const std::string& title, const std::string& subtitle,
               const std::string& y_title);
// Puts the legend gathered so far below the axis, in columns as wide as its longest text; returns
// the pixels it takes. To be called just before plot().
int set_legend(ChartScript& script);

}  // namespace batchscope::report
