#include "batchscope/serving/split.hpp"

#include <algorithm>
#include <numeric>

#include "batchscope/base/algorithms.hpp"

namespace batchscope::serving {

bool Limits::allow(int64_t count, int64_t longest) const {
  return count <= 1 || (count <= max_batch && count <= max_tokens / std::max<int64_t>(1, longest));
}

Limits tighter(const Limits& a, const Limits& b) {
  return {std::min(a.max_batch, b.max_batch), std::min(a.max_tokens, b.max_tokens)};
}

namespace {

struct SplitPrefix {
  double cost = 0;
  int64_t last = 0;  // size of the batch that ends here
};

// The best way to run the first n requests, from those of all shorter prefixes.
SplitPrefix best_prefix(const std::vector<SplitPrefix>& shorter, int64_t longest,
                        const BatchCost& cost, std::span<const int64_t> sizes,
                        const Limits& limits) {
  const auto n = static_cast<int64_t>(shorter.size());
  SplitPrefix best{std::numeric_limits<double>::infinity(), 0};
  const auto consider = [&](int64_t size) {
    const double total = shorter[static_cast<std::size_t>(n - size)].cost + cost(size, longest);
    // Equal costs go to the larger batch: fewer calls.
    if (total < best.cost || (total == best.cost && size > best.last)) best = {total, size};
  };
  for (const int64_t size : sizes) {
    if (size > n || !limits.allow(size, longest)) break;
    consider(size);
  }
  // Too few for any size that is allowed.
  for (int64_t size = std::min(n, sizes.front()); best.last == 0; --size) {
    if (limits.allow(size, longest)) consider(size);
  }
  return best;
}

std::vector<SplitPrefix> best_prefixes(std::span<const int64_t> ascending_lengths,
                                       const BatchCost& cost, std::span<const int64_t> sizes,
                                       const Limits& limits) {
  std::vector<int64_t> all;
  if (sizes.empty()) {
    all.resize(std::max<std::size_t>(1, ascending_lengths.size()));
    std::iota(all.begin(), all.end(), 1);
    sizes = all;
  }
  std::vector<SplitPrefix> best{{0, 0}};
  for (const int64_t longest : ascending_lengths) {
    best.push_back(best_prefix(best, longest, cost, sizes, limits));
  }
  return best;
}

std::vector<int64_t> batches_under(std::span<const int64_t> ascending_lengths, int64_t max_tokens) {
  const Limits limits{.max_tokens = max_tokens};
  std::vector<int64_t> sizes;
  for (const int64_t longest : ascending_lengths) {
    if (sizes.empty() || !limits.allow(sizes.back() + 1, longest)) sizes.push_back(0);
    ++sizes.back();
  }
  return sizes;
}

std::vector<int64_t> lengths_alike(int64_t n) {
  return std::vector<int64_t>(static_cast<std::size_t>(std::max<int64_t>(0, n)), 1);
}

}  // namespace

std::vector<int64_t> optimal_split(std::span<const int64_t> ascending_lengths,
                                   const BatchCost& cost, std::span<const int64_t> sizes,
                                   const Limits& limits) {
  const std::vector<SplitPrefix> best = best_prefixes(ascending_lengths, cost, sizes, limits);
  std::vector<int64_t> split;
  for (std::size_t at = best.size() - 1; at > 0; at -= static_cast<std::size_t>(best[at].last)) {
    split.push_back(best[at].last);
  }
  std::reverse(split.begin(), split.end());
  return split;
}

std::vector<int64_t> optimal_split(int64_t n, const BatchCost& cost, std::span<const int64_t> sizes,
                                   const Limits& limits) {
  std::vector<int64_t> split = optimal_split(lengths_alike(n), cost, sizes, limits);
  std::sort(split.begin(), split.end(), std::greater<>());
  return split;
}

std::vector<int64_t> optimal_batches(int64_t n, const BatchCost& cost,
                                     std::span<const int64_t> sizes) {
  auto batches = base::mapped(best_prefixes(lengths_alike(n), cost, sizes, {}),
                              [](const SplitPrefix& prefix) { return prefix.last; });
  std::erase(batches, 0);
  return batches;
}

std::vector<int64_t> fewest_batches(std::span<const int64_t> ascending_lengths,
                                    int64_t max_tokens) {
  const std::size_t fewest = batches_under(ascending_lengths, max_tokens).size();
  if (fewest <= 1) return batches_under(ascending_lengths, max_tokens);
  int64_t low = 0, high = max_tokens;  // too little, enough
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (batches_under(ascending_lengths, middle).size() > fewest ? low : high) = middle;
  }
  return batches_under(ascending_lengths, high);
}

}  // namespace batchscope::serving
