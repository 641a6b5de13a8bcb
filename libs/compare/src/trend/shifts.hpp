#pragma once

#include <cstddef>
#include <span>

#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::compare {

// Part of a series, from its first value up to the one before `end`, that is held against the rest.
struct Stretch {
  std::size_t begin = 0, end = 0;
};

// The rest's centre is taken off that of the stretch; the scatter is that of both around theirs, so
// that a side may be a single value. Student's t with values.size() - 2 degrees of freedom. Neither
// side is empty, and there are at least 3 values.
stats::MeanEstimate shift_of(std::span<const double> values, Stretch stretch);

// The split (a stretch up to the end), or the stretch between two values that are not its own, with
// the largest t; at least 2 values, and 3.
Stretch best_split(std::span<const double> values);
Stretch best_inner(std::span<const double> values);

// Two-sided, times the number of splits: the chance of one so clear among all of a series without a
// change is at most this. 1 below 3 values.
double p_of_best_split(std::span<const double> values);
double p_of_best_inner(std::span<const double> values);

}  // namespace batchscope::compare
