#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace batchscope::tables {

// Another way to run a batch: the sizes run one after the other, descending. Their sum is at least
// the batch; what is beyond it is padding.
struct Split {
  std::vector<int64_t> parts;
  double time = 0;
};

// Beyond this batch size the search over all splits would take too long; no such batch is known.
inline constexpr int64_t kLargestSplitBatch = 1 << 20;

// The cheapest way to run `batch` samples without using that size itself: one larger batch, or any
// multiset of the other sizes that adds up to at least `batch`. nullopt where no other size exists,
// and beyond kLargestSplitBatch. times[i] > 0 is the time of a batch of sizes[i] > 0. O(batch x
// sizes).
std::optional<Split> cheapest_split(std::span<const int64_t> sizes, std::span<const double> times,
                                    int64_t batch);

}  // namespace batchscope::tables
