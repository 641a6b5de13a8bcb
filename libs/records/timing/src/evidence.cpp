#include "batchscope/timing/evidence.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::timing {

namespace {

// How much wider Student's interval of so few is than that of as many as are needed to prove
// anything: 5.8 times with two.
double excess_width(std::size_t n) {
  constexpr double kLevel = 0.95;
  const auto half_width = [](std::size_t values) {
    const auto df = static_cast<double>(values - 1);
    return stats::two_sided_interval({0, 1, df, values, stats::Method::student_t}, kLevel)
        .half_width();
  };
  return n < kPairsToProve && n >= 2 ? half_width(n) / half_width(2 * kPairsToProve) : 1;
}

}  // namespace

std::optional<int> blocks_that_would_tell(std::size_t n, double half_width, double gain) {
  constexpr double kMost = 1000;
  const auto made = static_cast<double>(n);
  const double half = half_width / excess_width(n);
  const double blocks = std::ceil(2 * made * half * half / (gain * gain));
  if (!(blocks <= kMost)) return std::nullopt;
  return static_cast<int>(std::max(blocks, made + 1));
}

}  // namespace batchscope::timing
