#pragma once

#include <cstddef>
#include <span>

namespace batchscope::compare {

// Whether a level shifts at once, or values wander: under noise in which each value resembles the
// one before it (an AR(1) process of any correlation from 0 to 0.95), twice the log of the
// likelihood ratio of the best single step, with kValuesOfLevel on either side, against none.
// Profiled over the correlation and the scatter, of either model by itself. Values far from the
// median of their side of `at` are drawn in first, so that a single bad one has little say.
double evidence_of_step(std::span<const double> values, std::size_t at);

// What the evidence exceeds by chance in a share `alpha` of series without a step. By simulation of
// series of 10 to 160 values with a correlation of 0.9 or 0.95, where it is largest: within 0.7,
// and too high below 16 values. The truth table tests it.
double limit_of_evidence(double alpha);

// The step in the middle of so many independent values of unit scatter that has such evidence in
// 0.85 of series.
double step_to_be_told(std::size_t values, double alpha);

}  // namespace batchscope::compare
