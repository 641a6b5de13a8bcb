#pragma once

#include <cstdint>
#include <limits>

namespace batchscope::base {

// a + b for numbers that are at least 0, but no more than an int64_t holds: what a file claims may
// add up to more.
constexpr int64_t capped_sum(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

}  // namespace batchscope::base
