#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace batchscope::serving {

// What one batch may hold. A single request is always allowed: nothing smaller could be run.
struct Limits {
  int64_t max_batch = std::numeric_limits<int64_t>::max();
  // Padded tokens: requests x the longest of them, which is what a padded batch computes.
  int64_t max_tokens = std::numeric_limits<int64_t>::max();

  bool allow(int64_t count, int64_t longest) const;
};
Limits tighter(const Limits& a, const Limits& b);

// Seconds of a batch of `count` requests, padded to the longest of them in tokens.
using BatchCost = std::function<double(int64_t count, int64_t longest)>;

// Cuts requests with these lengths, ascending, into consecutive batches of the least total cost:
// the sizes of the batches in that order. `sizes`: the batch sizes allowed, ascending; empty: all.
// What is fewer than the smallest of them may stay a batch of its own. Dynamic program over
// prefixes, O(n x sizes) and so O(n^2) at most (TurboTransformers, Fang et al. 2021, algorithm 3).
std::vector<int64_t> optimal_split(std::span<const int64_t> ascending_lengths,
                                   const BatchCost& cost, std::span<const int64_t> sizes = {},
                                   const Limits& limits = {});

// The same for n requests that are all alike; the sizes descend.
std::vector<int64_t> optimal_split(int64_t n, const BatchCost& cost,
                                   std::span<const int64_t> sizes = {}, const Limits& limits = {});

// For 1 to n requests that are all alike, at 0 to n - 1: one batch of their optimal split. The
// others are those of the requests that it leaves. All in one pass.
std::vector<int64_t> optimal_batches(int64_t n, const BatchCost& cost,
                                     std::span<const int64_t> sizes = {});

// How many of these samples, ascending in length, make up each of the fewest batches of at most so
// many padded tokens, as even as possible. A single sample is one, whatever its length.
std::vector<int64_t> fewest_batches(std::span<const int64_t> ascending_lengths, int64_t max_tokens);

}  // namespace batchscope::serving
