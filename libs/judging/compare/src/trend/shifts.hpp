#pragma once

#include <cstddef>
#include <span>

#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::compare {

// Part of a series, from its first value up to the one before `end`, that is held against the rest.
struct Episode {
  std::size_t begin = 0, end = 0;
};

// The rest's centre is taken off that of the stretch; the scatter is that of both around theirs, so
// that a side may be a single value. Student's t with values.size() - 2 degrees of freedom. Neither
// side is empty, and there are at least 3 values.
stats::MeanEstimate shift_of(std::span<const double> values, Episode segment);

// Fewer values are no level: two bad runs in a row, beside one that happens to be slow, are no more
// than that.
inline constexpr std::size_t kValuesOfLevel = 4;

// How many splits (stretches up to the end) have `least` values on either side.
std::size_t splits_of(std::size_t values, std::size_t least);

// A stretch, and the sum of squares between it and the rest: over all stretches of one series it
// grows with Student's |t|.
struct Standout {
  Episode segment;
  double between = 0;
};

// The stretch that stands out most: up to the end with `least` values on either side, or between
// two levels of kValuesOfLevel at least, as is its own. There is at least one.
Standout best_split(std::span<const double> values, std::size_t least);
Standout best_inner(std::span<const double> values);

// Where a shift that there is has its place: the first value of the second level, where values lie
// closest to the medians of their levels (least absolute deviations, Bai 1995), so that one far off
// has no say. Either level has at least kValuesOfLevel values, and there are so many.
std::size_t place_of_shift(std::span<const double> values);

// That the best split with `least` values on either side is none, by Student's t, two-sided and
// times the number of splits (Bonferroni). 1 where there is none.
double p_of_best_split(std::span<const double> values, std::size_t least);

}  // namespace batchscope::compare
