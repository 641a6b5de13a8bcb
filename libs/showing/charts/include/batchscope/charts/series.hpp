#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

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
const char* fill_colour(std::size_t index);
inline constexpr const char* kFaintColour = "#8b929b";  // what is there, and nothing more
inline constexpr const char* kOtherColour = "#dddddd";

// What is set apart in any chart: an anomaly, whose colour no series has, and a ring around the
// pick.
inline constexpr const char* kAnomalyColour = "#b3123f";
inline constexpr const char* kPickColour = "#d9660a";

// The configuration in words: what all groups share, and what tells each apart (empty for a group
// alone).
struct SeriesNames {
  std::string common;
  std::vector<std::string> own;
};
SeriesNames series_names(const std::vector<findings::Group>& groups);

}  // namespace batchscope::charts
