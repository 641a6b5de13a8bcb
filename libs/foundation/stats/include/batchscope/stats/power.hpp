#pragma once

#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::stats {

// How far beyond a limit the truth has to lie so that a one-sided test against that limit, at
// `alpha`, shows it to be beyond in a share `power` of further experiments like the one that gave
// `estimate`, in the unit of the values; 0 without scatter. Standard errors are estimates, this one
// as well as theirs, and the degrees of freedom say how good they are: what a lucky experiment
// calls visible would else be missed too often by others.
//
// Both standard errors as normal variables (Abramowitz and Stegun 1964, 26.7.10, for one of them);
// within 0.02 of `power` from 4 degrees of freedom on.
double smallest_detectable(const MeanEstimate& estimate, double alpha, double power);

}  // namespace batchscope::stats
