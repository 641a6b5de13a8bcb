#pragma once

#include <span>
#include <vector>

namespace batchscope::stats {

// What Holm's procedure says of one hypothesis of a family.
struct HolmVerdict {
  double adjusted_p = 1.0;  // rejected at any family level >= this
  bool rejected = false;
  // The level this hypothesis was tested at by itself: p <= alpha exactly when it is rejected. An
  // interval printed beside the verdict uses this level, so that the two never disagree.
  double alpha = 0.0;
};

// Holm (1979), step-down Bonferroni: the chance of any false rejection in the family is at most
// `family_alpha`, however the p-values depend on each other. Verdicts in input order; p-values in
// [0, 1].
std::vector<HolmVerdict> holm(std::span<const double> p_values, double family_alpha);

// The adjusted p-values alone, in input order.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace batchscope::stats
