#pragma once

#include <span>
#include <vector>

namespace batchscope::stats {

// What the values would be as a normal sample of their order: for each the normal quantile of
// (rank - 3/8) / (n + 1/4) (Blom 1958), of the mean rank where values are equal. A test on them
// sees how values are ordered and not how far off one lies, and loses next to nothing against one
// on the values where those are normal (Chernoff and Savage 1958). No unit; in the order of the
// values.
std::vector<double> normal_scores(std::span<const double> values);

// The quantile of the standard normal distribution at a probability between 0 and 1.
double normal_quantile(double probability);

}  // namespace batchscope::stats
