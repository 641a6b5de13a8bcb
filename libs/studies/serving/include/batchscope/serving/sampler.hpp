#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/serving/step_plan.hpp"

namespace batchscope::serving {

struct SamplerBatch {
  int64_t epoch = 0;
  int64_t number = 0;            // of its step in the epoch, from 0
  std::vector<int64_t> samples;  // ascending in length
};

// What a sampler goes on from. All of it is the same on every rank, unless `ahead` holds something.
struct SamplerState {
  uint64_t seed = 1;
  int64_t epoch = 0;
  std::optional<int64_t> position{};  // steps trained in order; none: nobody counted
  std::vector<int64_t> ahead{};       // numbers trained beyond
  std::optional<int64_t> limit{};
  int64_t max_tokens = 0;  // that the epoch is cut by
  int64_t samples = 0;
  uint64_t lengths_digest = 0;
  uint64_t plan_digest = 0;
  int64_t ranks = 1;
  int64_t rank = 0;
};

// The batches of an epoch that were not trained when it was made. It stays what it is, whatever
// becomes of the sampler, so that loaders may look as far ahead as they like.
class SamplerBatches {
 public:
  SamplerBatches(std::shared_ptr<const EpochOrder> order, int64_t epoch, int64_t rank,
                 int64_t position, std::set<int64_t> ahead);
  // nullopt at the end of the epoch.
  std::optional<SamplerBatch> next();
  int64_t epoch() const { return epoch_; }
  // Of the step that comes next.
  int64_t position() const { return step_; }

 private:
  std::shared_ptr<const EpochOrder> order_;
  int64_t epoch_ = 0;
  int64_t rank_ = 0;
  int64_t step_ = 0;
  int64_t turn_ = 0;  // of the ranks, where all are handed out
  std::set<int64_t> skipped_;
};

// Batches of a data set for training: samples of similar length under a budget of padded tokens, in
// another order each epoch. The order is a function of seed, epoch and position; the position
// counts the steps that were trained, not those that were handed out. No batch is handed out twice:
// a loop whose memory ran out splits the one in hand, and lets the sampler know what fits
// (`limit_to`). Not safe to share between threads.
//
//   for (auto batches = sampler.start(); auto batch = batches.next();) {
//     train(*batch);
//     sampler.trained(batch->number);
//   }
class TokenBatchSampler {
 public:
  static constexpr int64_t kAllRanks = -1;  // each rank's batch of a step in turn

  // Errors: as StepPlan::make, and input (a sample over the budget).
  static base::Result<TokenBatchSampler> make(std::vector<int64_t> lengths,
                                              BatchSamplerOptions options, int64_t rank = 0);

  // Of the epoch, for each rank.
  int64_t steps() const { return static_cast<int64_t>(plan_->steps()); }
  int64_t epoch() const { return epoch_; }
  int64_t position() const { return position_; }
  const StepPlan& plan() const { return *plan_; }

  // What is left of the epoch, or the next one where all of it is trained. Where nothing was ever
  // counted by trained(), each call but the first is the next epoch.
  SamplerBatches start();
  // The step of this number was trained, or is not to be; none: the first that is not counted yet.
  // Errors: usage (counted already, no such number, nothing was started).
  base::Result<void> trained(std::optional<int64_t> number = std::nullopt);
  // Another epoch starts at its beginning, the same one stays where it is. A loader that counts
  // from 0 after load() is understood: its first epoch is the loaded one.
  void set_epoch(int64_t epoch);

  SamplerState state() const;
  // A state without a position is that of the beginning of its epoch.
  // Errors: input (another data set), usage (in mid-epoch: cut otherwise, another number of ranks;
  // trained out of order on another rank).
  base::Result<void> load(const SamplerState& state);

  // Padded tokens that are known to fit; the steps of this epoch stay as they are. `recut`: later
  // epochs are cut under it, so that their number of steps changes.
  void limit_to(std::optional<int64_t> max_tokens, bool recut = false);
  std::optional<int64_t> limit() const { return limit_; }
  // Of this rank's batch in the epoch: the lengths of its samples, and how many of them make up
  // each of the fewest batches that fit the limit (fewest_batches). Empty: no such number, or all
  // ranks.
  std::vector<int64_t> lengths_of(int64_t number) const;
  std::vector<int64_t> parts_of(int64_t number) const;
  // Of all that ranks have to have in common.
  uint64_t fingerprint() const;

 private:
  TokenBatchSampler(std::vector<int64_t> lengths, BatchSamplerOptions options, int64_t rank,
                    std::shared_ptr<const StepPlan> plan);
  const std::shared_ptr<const EpochOrder>& order() const;
  void enter(int64_t epoch);
  base::Result<void> check(const SamplerState& state, bool same_cut) const;

  std::vector<int64_t> lengths_;
  BatchSamplerOptions options_;
  int64_t rank_ = 0;
  std::shared_ptr<const StepPlan> plan_;
  mutable std::shared_ptr<const EpochOrder> order_;  // of the epoch; made when it is asked for
  int64_t epoch_ = 0;
  int64_t position_ = 0;
  std::set<int64_t> ahead_;
  bool is_counted_ = false;
  bool has_begun_ = false;
  bool was_loaded_ = false;    // and nothing was started since
  int64_t epochs_before_ = 0;  // those that a loader that counts from 0 after load() does not know
  std::optional<int64_t> limit_;
  bool will_recut_ = false;
};

}  // namespace batchscope::serving
