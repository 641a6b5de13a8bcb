#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "batchscope/stats/interval.hpp"

namespace batchscope::stats {

// Where the mean of a series changes, and by how much.
struct ChangePoint {
  std::size_t index = 0;  // of the first value after it
  // Where it may be as well, by the same name: a 95 % set, its hull.
  std::size_t first = 0, last = 0;
  std::size_t begin = 0, end = 0;  // what lies between it and its neighbours
  double before = 0, after = 0;    // means of that
  Interval size;                   // of after - before, at 95 %
  // Of the same values around these means; n times less than a mean's where they are independent.
  double variance_before = 0, variance_after = 0;
  // How much better two levels fit than one line through the values on both sides: the difference
  // of the squares, in noise variances. Below 0 it is a slope rather than a step.
  double better_than_line = 0;
};

inline constexpr std::size_t kFewestBetweenChanges = 8;

// The changes in the mean of values in time order (finite, in any unit); none for fewer than
// 2 kFewestBetweenChanges of them. The least sum of squares from the levels, plus 4 ln n noise
// variances a change, is found exactly (PELT, Killick et al. 2012). Before that, values are drawn
// in to 3 robust standard deviations around the running median of 11, so that up to 5 outliers in a
// row change nothing. The noise variance is that of long sums, so that autocorrelation is not taken
// for changes: first of an AR(1) process with the variance and correlation of neighbours (from
// differences, which changes hardly touch), and then, while that is larger, from the covariances at
// all lags of what the levels leave, with what the levels took of them; levels are looked for anew
// until both agree. Where the noise is slow beside the series there is no change yet; a change has
// to hold by the noise of the parts beside it, too. The set of places is that of Eo and Morley
// (2015, likelihood ratio, 7.38 at 95 %).
std::vector<ChangePoint> change_points(std::span<const double> values);

}  // namespace batchscope::stats
