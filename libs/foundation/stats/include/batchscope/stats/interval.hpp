#pragma once

namespace batchscope::stats {

// A range of plausible values, ends included, in the unit of the values it was made from. An end
// may be infinite.
struct Interval {
  double low = 0.0;
  double high = 0.0;

  bool contains(double value) const { return low <= value && value <= high; }
  double half_width() const { return (high - low) / 2.0; }
};

}  // namespace batchscope::stats
