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

// Fewer values are no level: one that lies far off is no more than that.
inline constexpr std::size_t kValuesOfLevel = 2;

// How many splits (stretches up to the end), and how many stretches between two levels that are not
// their own, so many values have; 0 where there are too few for each level to have its values.
std::size_t splits_of(std::size_t values);
std::size_t inner_stretches_of(std::size_t values);

// The one of them with the largest t; there is at least one.
Stretch best_split(std::span<const double> values);
Stretch best_inner(std::span<const double> values);

// Two-sided, times their number: the chance of one so clear among all of a series without a change
// is at most this. 1 where there are none.
double p_of_best_split(std::span<const double> values);
double p_of_best_inner(std::span<const double> values);

}  // namespace batchscope::compare
