#pragma once

namespace batchscope::stats {

// The half-width of Student's interval of a mean, once there are more values of the same spread.
struct WidthOutlook {
  double likely = 0;    // with the spread seen so far
  double at_least = 0;  // with the least spread that what was seen leaves possible
};

// `half_width`: of `n` >= 2 values, at `level`; `wanted` >= 2 values are to come to. What is
// possible holds with probability `confidence`, one-sided, by the chi-squared distribution of the
// variance of n normal values.
WidthOutlook width_outlook(double half_width, int n, int wanted, double level, double confidence);

}  // namespace batchscope::stats
