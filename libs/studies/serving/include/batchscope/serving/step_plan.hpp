#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/serving/split.hpp"

namespace batchscope::serving {

struct BatchSamplerOptions {
  int64_t max_tokens = 4096;  // padded: samples x the longest of a batch
  int64_t max_batch = std::numeric_limits<int64_t>::max();
  // Allowed batch sizes, ascending; empty: all. Finer ones occur in the last steps of an epoch
  // only.
  std::vector<int64_t> sizes{};
  // Seconds of a batch: of `sizes` the one with the most samples a second is taken. Empty: the
  // largest.
  BatchCost cost{};
  uint64_t seed = 1;
  // Samples are batched with others of their class of lengths; there are at most so many classes.
  // More pad less, fewer mix better.
  int64_t window = 64;
  int64_t ranks = 1;
};

// Samples begin..end of the ascending lengths, in steps of `ranks` batches of `batch` samples each.
struct LengthClass {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t batch = 1;
  std::size_t steps = 0;
};

// How a data set is cut into steps of one batch a rank: the same in every epoch, so that the number
// of steps is known before and never changes. Each class of lengths holds complete steps; what is
// left of the shortest samples is cut finer, so that every rank gets a batch of it.
//
// Where samples are too few for that (batches of one sample, and no multiple of the ranks) some
// batches of the last step hold one sample more: `over_budget` of them.
class StepPlan {
 public:
  // One length in tokens a sample, each at least 1. Errors: input (no sample, a length below 1,
  // fewer samples than ranks, more than 2^32 samples), usage (an option below 1).
  static base::Result<StepPlan> make(std::span<const int64_t> lengths,
                                     const BatchSamplerOptions& options);

  std::size_t steps() const { return steps_; }
  std::size_t ranks() const { return ranks_; }
  std::size_t samples() const { return ascending_.size(); }
  std::size_t over_budget() const { return over_budget_; }
  const std::vector<LengthClass>& classes() const { return classes_; }  // longest samples first
  // Batches of the last steps, drawn from the last class; a multiple of the ranks.
  const std::vector<std::size_t>& last_batches() const { return last_batches_; }
  // Places of equal lengths in more than one class: begin, end.
  const std::vector<std::pair<std::size_t, std::size_t>>& ties() const { return ties_; }
  // By place among the ascending lengths: the sample that has it, and its length.
  std::size_t sample(uint32_t place) const { return samples_[place]; }
  int64_t length(uint32_t place) const { return ascending_[place]; }
  // Of the lengths of all samples in their order; and of how they are cut.
  uint64_t lengths_digest() const { return lengths_digest_; }
  uint64_t digest() const;

 private:
  StepPlan() = default;
  void cut_last_steps();
  void find_ties();

  std::vector<uint32_t> samples_;
  std::vector<int64_t> ascending_;
  std::vector<LengthClass> classes_;
  std::vector<std::size_t> last_batches_;
  std::vector<std::pair<std::size_t, std::size_t>> ties_;
  std::size_t ranks_ = 1;
  std::size_t steps_ = 0;
  std::size_t over_budget_ = 0;
  uint64_t lengths_digest_ = 0;
};

// The order of one epoch: a function of the plan, the seed and the epoch alone. Batches of one step
// have the same size and neighbours in length as their longest samples, so that they cost alike.
class EpochOrder {
 public:
  EpochOrder(std::shared_ptr<const StepPlan> plan, uint64_t seed, int64_t epoch);

  // Places among the ascending lengths, ascending.
  std::vector<uint32_t> batch(std::size_t step, std::size_t rank) const;
  const StepPlan& plan() const { return *plan_; }

 private:
  struct Cut {
    std::size_t begin = 0;
    std::size_t count = 0;
  };
  void cut_class(const LengthClass& each);
  void cut_last_steps();

  std::shared_ptr<const StepPlan> plan_;
  std::vector<uint32_t> places_;
  std::vector<Cut> cuts_;           // of `ranks` batches a step
  std::vector<uint32_t> sequence_;  // steps as they come, by number in `cuts_`
};

}  // namespace batchscope::serving
