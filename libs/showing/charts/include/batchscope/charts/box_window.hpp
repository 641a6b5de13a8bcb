#pragma once

#include <vector>

#include "batchscope/charts/scale.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// What the times of a box are divided by, so that boxes of all sizes fit one axis.
enum class BoxScale { sample, median };

// What the axis spans: all boxes and whiskers, and as far again to either side, so that a stray
// iteration twenty times as long does not flatten what the chart is about.
struct BoxWindow {
  double low = 1e300;
  double high = -1e300;
  bool empty() const { return !(low <= high); }
  ValueAxis axis() const;
};

// One iteration tells nothing of a spread.
bool has_spread(const findings::ConfigRow& row);
double box_divisor(const findings::ConfigRow& row, BoxScale scale);
// Empty when no configuration has a spread.
BoxWindow box_window(const std::vector<findings::Group>& groups, BoxScale scale);
// Per sample, unless that needs a logarithmic axis, on which the boxes would be flat lines.
BoxScale box_scale(const std::vector<findings::Group>& groups);
const char* box_title(BoxScale scale);
const char* box_axis_title(BoxScale scale);

}  // namespace batchscope::charts
