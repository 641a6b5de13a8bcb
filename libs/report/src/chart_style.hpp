#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "batchscope/schema/summary.hpp"
#include "chart_script.hpp"

namespace batchscope::report {

inline constexpr int kChartWidth = 960;
inline constexpr int kChartHeight = 560;
inline constexpr int kLegendRow = 22;
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

// How a stacked piece is filled, alternately solid and hatched, neighbours of other luminance.
std::string fill_style(std::size_t index);
inline constexpr const char* kOtherFill = "fs solid 1 border lc rgb '#404040' fc rgb '#dddddd'";

// The configuration in words: what all groups share, and what tells each apart (empty for a group
// alone).
struct SeriesNames {
  std::string common;
  std::vector<std::string> own;
};
SeriesNames series_names(const std::vector<schema::Group>& groups);

// Titles and the look of frame, grid and legend. `subtitle` is untrusted.
void set_frame(ChartScript& script, const std::string& title, const std::string& subtitle,
               const std::string& y_title);
// The picture's height with room for so many lines of legend.
int height_for(int legend_entries, std::size_t longest_entry);

}  // namespace batchscope::report
