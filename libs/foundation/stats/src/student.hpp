#pragma once

namespace batchscope::stats {

// Student's t with `df` > 0 degrees of freedom (not necessarily whole); infinite arguments are
// allowed.

// P(T >= t).
double student_upper_tail(double t, double df);

// The value that T exceeds with probability `tail`, 0 <= tail <= 1 (+-infinity at the ends).
double student_upper_quantile(double tail, double df);

}  // namespace batchscope::stats
