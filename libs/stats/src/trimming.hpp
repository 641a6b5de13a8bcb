#pragma once

#include <cstddef>
#include <span>

namespace batchscope::stats {

// How many of n values a trimmed mean leaves out at each end: floor(fraction * n). Exact where
// fraction * n is a whole number that binary fractions miss, such as 0.29 * 100.
std::size_t trim_count(std::size_t n, double fraction);

// As trimmed_mean and winsorized_variance in descriptive.hpp, for values in ascending order.
double trimmed_mean_of_sorted(std::span<const double> ascending, double fraction);
double winsorized_variance_of_sorted(std::span<const double> ascending, double fraction);

}  // namespace batchscope::stats
