#pragma once

#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::stats {

// How far beyond a limit the truth has to lie so that a one-sided test against that limit, at
// `alpha`, shows it to be beyond in four of five experiments with this standard error and these
// degrees of freedom, in the unit of the values; 0 without scatter. Normal approximation of the
// noncentral t (Abramowitz and Stegun 1964, 26.7.10), within a few hundredths of a standard error
// from 4 degrees of freedom on.
double shown_in_four_of_five(const MeanEstimate& estimate, double alpha);

}  // namespace batchscope::stats
