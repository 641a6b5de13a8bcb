#include "batchscope/tables/split_search.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace batchscope::tables {

std::optional<Split> cheapest_split(std::span<const int64_t> sizes, std::span<const double> times,
                                    int64_t batch) {
  if (batch > kLargestSplitBatch) return std::nullopt;
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  // best[k]: the least time to run k samples; last[k]: a size that does it.
  const auto n = static_cast<std::size_t>(batch);
  std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> last(n + 1, kNone);
  best[0] = 0;
  for (std::size_t k = 1; k <= n; ++k) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] == batch) continue;
      const auto size = static_cast<std::size_t>(sizes[i]);
      const double time = times[i] + best[k > size ? k - size : 0];
      if (time < best[k]) {
        best[k] = time;
        last[k] = i;
      }
    }
  }
  if (last[n] == kNone) return std::nullopt;
  Split split{{}, best[n]};
  for (std::size_t k = n; k > 0;) {
    const int64_t size = sizes[last[k]];
    split.parts.push_back(size);
    k -= std::min(k, static_cast<std::size_t>(size));
  }
  std::sort(split.parts.begin(), split.parts.end(), std::greater<>());
  return split;
}

}  // namespace batchscope::tables
