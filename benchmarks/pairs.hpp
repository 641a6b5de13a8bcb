#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace batchscope::bench {

// Wall time of one call, ns.
int64_t time_ns(const std::function<void()>& work);

struct PairedTimes {
  double ratio = 1, ratio_low = 1, ratio_high = 1;                    // a / b, geometric mean, 95 %
  double difference_ns = 0, difference_low = 0, difference_high = 0;  // (a - b) / `per`, 95 %
  double a_ns = 0, b_ns = 0;                                          // medians of one call
  int pairs = 0;
};

// a and b in turn, in random order within each pair; differences are divided by `per` (iterations a
// call).
PairedTimes time_pairs(int pairs, double per, const std::function<void()>& a,
                       const std::function<void()>& b);

}  // namespace batchscope::bench
