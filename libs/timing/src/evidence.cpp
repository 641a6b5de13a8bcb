#include "batchscope/timing/evidence.hpp"

#include <algorithm>
#include <cmath>

namespace batchscope::timing {

std::optional<int> blocks_that_would_tell(std::size_t n, double half_width, double gain) {
  constexpr double kMost = 1000;
  const auto made = static_cast<double>(n);
  const double blocks = std::ceil(2 * made * half_width * half_width / (gain * gain));
  if (!(blocks <= kMost)) return std::nullopt;
  return static_cast<int>(std::max(blocks, made + 1));
}

}  // namespace batchscope::timing
