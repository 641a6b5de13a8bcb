#pragma once

#include <optional>
#include <span>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// Where ratios of times stand from left to right: logarithmic, no difference in the middle.
// Intervals never set it.
class RatioAxis {
 public:
  // `margin`: 0.02 is a ratio of 1.02, which has to be on it.
  RatioAxis(std::span<const findings::Comparison> comparisons, std::optional<double> margin);

  std::optional<double> margin() const { return margin_; }
  // -1 at the left end, 0 for no difference, 1 at the right end; beyond them outside of that.
  double place(double ratio) const;
  bool is_beyond(double ratio) const;
  // A round share of time on either side of no difference, as far as there is room.
  std::vector<double> marks() const;

 private:
  std::optional<double> margin_;
  double reach_ = 0;  // ln of the largest ratio on it
};

}  // namespace batchscope::charts
