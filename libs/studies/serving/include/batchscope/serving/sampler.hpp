#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/serving/memory_ceiling.hpp"

namespace batchscope::serving {

struct SamplerOptions {
  int64_t max_tokens = 4096;  // padded: samples x the longest of a batch
  int64_t max_batch = std::numeric_limits<int64_t>::max();
  uint64_t seed = 1;
  // Samples are drawn at random, and only among so many of them sorted by length: larger windows
  // pad less, smaller ones mix better.
  std::size_t window = 2048;
  MemoryCeiling::Options ceiling{.recover_after = 16, .growth = 1.125};
};

// Batches of a data set for training: samples of similar length under a budget of padded tokens, in
// another order each epoch. When memory runs out the batch comes again in two halves and later ones
// are smaller; they grow back carefully. In every epoch each sample is handed out in exactly one
// batch that was trained on, or named as one that does not fit. Not safe to share between threads.
//
//   for (sampler.start_epoch(0); auto batch = sampler.next();) {
//     if (train(*batch) == out_of_memory) report(sampler.out_of_memory());
//   }
class TokenBatchSampler {
 public:
  // One length in tokens a sample, each at least 1.
  explicit TokenBatchSampler(std::vector<int64_t> lengths, const SamplerOptions& options = {});

  // The order depends on the seed and the epoch only; what is left of the current epoch is dropped.
  // What is known of the memory stays.
  void start_epoch(int64_t epoch);
  // The next batch: indices of samples, ascending in length. The one before counts as trained on.
  // nullopt at the end of the epoch, and before the first.
  std::optional<std::vector<std::size_t>> next();
  // The batch that next() gave did not fit: it will come again, halved. Errors: out_of_memory, when
  // it was a single sample, which is left out of this epoch; misuse (no batch is out) does nothing.
  base::Result<void> out_of_memory();

  // The most padded tokens of a batch now: the budget, or less after memory ran out.
  int64_t token_limit() const;

 private:
  using Batch = std::vector<std::size_t>;

  void fill_window();
  std::vector<Batch> cut(std::span<const std::size_t> ascending) const;
  int64_t padded_tokens(const Batch& batch) const;
  void settle();

  std::vector<int64_t> lengths_;
  SamplerOptions options_;
  MemoryCeiling ceiling_;
  int64_t epoch_ = 0;
  std::vector<std::size_t> order_;  // of the epoch
  std::size_t at_ = 0;              // what of it has been put into `ready_`
  std::vector<Batch> ready_;        // last one next
  std::optional<Batch> out_;        // handed out, not yet settled
};

}  // namespace batchscope::serving
