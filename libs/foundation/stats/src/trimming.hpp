#pragma once

#include <cstddef>
#include <span>

namespace batchscope::stats {

// How many of n values a trimmed mean leaves out at each end: floor(fraction * n). Exact where
// fraction * n is a whole number that binary fractions miss, such as 0.29 * 100.
std::size_t trim_count(std::size_t n, double fraction);

// Mean of what is left when floor(fraction * n) values are cut from each end. fraction in [0, 0.5).
double trimmed_mean_of_sorted(std::span<const double> ascending, double fraction);
// Variance (divided by n - 1) after the floor(fraction * n) values at each end are moved to the
// nearest value kept (Wilcox 2012, section 3.2.6).
double winsorized_variance_of_sorted(std::span<const double> ascending, double fraction);

}  // namespace batchscope::stats
