#pragma once

namespace batchscope::findings {

// What is too small to matter, for all that judge it or show it; ratios (0.01 = 1 %).

// A gain below this is no reason to change anything, where nobody asks for another.
inline constexpr double kPractical = 0.01;

// Ties between batch sizes give away at most this much of the throughput for a smaller one.
inline constexpr double kTieMargin = 0.005;

// A peak of memory over the line through its neighbours by more than this is a jump.
inline constexpr double kMemoryJump = 0.10;

// A mean is worth showing beside the typical time where the two differ by more than this.
inline constexpr double kMeanWorthShowing = 0.03;

// Of two times, in the same unit; false where one of them is not known (0).
constexpr bool is_mean_worth_showing(double mean, double typical) {
  if (!(typical > 0 && mean > 0)) return false;
  const double over = mean / typical - 1;
  return over > kMeanWorthShowing || over < -kMeanWorthShowing;
}

}  // namespace batchscope::findings
