#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// How a series looks: told apart by marker, dash and luminance, so that grey is enough.
struct SeriesStyle {
  const char* colour;
  const char* dash;   // lengths, alternately drawn and not; empty: a line without gaps
  std::size_t shape;  // of the marker: circle, square, triangle, diamond, triangle down, pentagon
};
const SeriesStyle& series_style(std::size_t index);

// Of a stacked piece; neighbours are of other luminance, and every second is hatched.
const char* fill_colour(std::size_t index);
inline constexpr const char* kFaintColour = "#8b929b";      // what is there, and nothing more
inline constexpr const char* kReferenceColour = "#565d66";  // what others are held against
inline constexpr const char* kOtherColour = "#dddddd";

// Every colour of a chart, and what stands for it on a dark background.
struct ColourTwins {
  std::string_view light, dark;
};
std::span<const ColourTwins> colour_twins();

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

// A name as it stands beside a chart: cleaned, shortened, never blank.
std::string shown_name(const std::string& raw);

}  // namespace batchscope::charts
