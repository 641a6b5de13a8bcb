#include "batchscope/serving/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "batchscope/serving/split.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::serving {
namespace {

using base::Error;
using base::ErrorKind;

base::Result<void> check_budget(const std::vector<int64_t>& lengths, int64_t max_tokens) {
  const auto over = std::count_if(lengths.begin(), lengths.end(),
                                  [&](int64_t length) { return length > max_tokens; });
  if (over == 0) return {};
  const auto longest = std::max_element(lengths.begin(), lengths.end());
  return Error{ErrorKind::input,
               fmt::format("samples longer than the budget of {1} tokens: {0}; the longest has {2}",
                           over, max_tokens, *longest),
               fmt::format("sample {}", longest - lengths.begin()),
               "raise max_tokens, or truncate or drop these samples"};
}

}  // namespace

SamplerBatches::SamplerBatches(std::shared_ptr<const EpochOrder> order, int64_t epoch, int64_t rank,
                               int64_t position, std::set<int64_t> ahead)
    : order_(std::move(order)),
      epoch_(epoch),
      rank_(rank),
      step_(position),
      skipped_(std::move(ahead)) {}

std::optional<SamplerBatch> SamplerBatches::next() {
  const StepPlan& plan = order_->plan();
  while (skipped_.contains(step_)) ++step_;
  if (step_ >= static_cast<int64_t>(plan.steps())) return std::nullopt;
  const bool all = rank_ == TokenBatchSampler::kAllRanks;
  const auto places =
      order_->batch(static_cast<std::size_t>(step_), static_cast<std::size_t>(all ? turn_ : rank_));
  SamplerBatch batch{epoch_, step_, {}};
  batch.samples.reserve(places.size());
  for (const uint32_t place : places) {
    batch.samples.push_back(static_cast<int64_t>(plan.sample(place)));
  }
  if (all) turn_ = (turn_ + 1) % static_cast<int64_t>(plan.ranks());
  if (turn_ == 0) ++step_;
  return batch;
}

base::Result<TokenBatchSampler> TokenBatchSampler::make(std::vector<int64_t> lengths,
                                                        BatchSamplerOptions options, int64_t rank) {
  auto plan = StepPlan::make(lengths, options);
  if (!plan) return plan.error();
  if (auto fits = check_budget(lengths, options.max_tokens); !fits) return fits.error();
  if (rank < kAllRanks || rank >= options.ranks) {
    return Error{ErrorKind::usage, fmt::format("rank {} of {} ranks", rank, options.ranks)};
  }
  return TokenBatchSampler(std::move(lengths), std::move(options), rank,
                           std::make_shared<const StepPlan>(*std::move(plan)));
}

TokenBatchSampler::TokenBatchSampler(std::vector<int64_t> lengths, BatchSamplerOptions options,
                                     int64_t rank, std::shared_ptr<const StepPlan> plan)
    : lengths_(std::move(lengths)),
      options_(std::move(options)),
      rank_(rank),
      plan_(std::move(plan)) {}

const std::shared_ptr<const EpochOrder>& TokenBatchSampler::order() const {
  if (order_ == nullptr) order_ = std::make_shared<const EpochOrder>(plan_, options_.seed, epoch_);
  return order_;
}

void TokenBatchSampler::enter(int64_t epoch) {
  epoch_ = epoch;
  position_ = 0;
  ahead_.clear();
  order_.reset();
  has_begun_ = false;
  if (!std::exchange(will_recut_, false)) return;
  options_.max_tokens = std::min(options_.max_tokens, *limit_);
  if (auto plan = StepPlan::make(lengths_, options_)) {
    plan_ = std::make_shared<const StepPlan>(*std::move(plan));
  }
}

SamplerBatches TokenBatchSampler::start() {
  if (position_ == steps() || (has_begun_ && !is_counted_)) enter(epoch_ + 1);
  has_begun_ = true;
  was_loaded_ = false;
  return {order(), epoch_, rank_, position_, ahead_};
}

base::Result<void> TokenBatchSampler::trained(std::optional<int64_t> number) {
  if (!has_begun_) return Error{ErrorKind::usage, "this epoch has drawn no batch yet"};
  const int64_t step = number.value_or(position_);
  if (step < 0 || step >= steps()) {
    return Error{ErrorKind::usage,
                 fmt::format("no step {}: epoch {} has {} steps", step, epoch_, steps())};
  }
  if (step < position_ || !ahead_.insert(step).second) {
    return Error{ErrorKind::usage, fmt::format("step {} was already counted", step)};
  }
  is_counted_ = true;
  while (ahead_.erase(position_) > 0) ++position_;
  return {};
}

void TokenBatchSampler::set_epoch(int64_t epoch) {
  if (was_loaded_) epochs_before_ = std::max<int64_t>(0, epoch_ - epoch);
  epoch += epochs_before_;
  if (epoch != epoch_ || position_ == steps()) enter(epoch);
  if (!is_counted_) has_begun_ = false;
}

SamplerState TokenBatchSampler::state() const {
  const bool done = position_ == steps();
  SamplerState state{.seed = options_.seed,
                     .epoch = done ? epoch_ + 1 : epoch_,
                     .position = done ? 0 : position_,
                     .ahead = {ahead_.begin(), ahead_.end()},
                     .limit = limit_,
                     .max_tokens = options_.max_tokens,
                     .samples = static_cast<int64_t>(plan_->samples()),
                     .lengths_digest = plan_->lengths_digest(),
                     .plan_digest = plan_->digest(),
                     .ranks = options_.ranks,
                     .rank = ahead_.empty() ? 0 : rank_};
  if (has_begun_ && !is_counted_) state.position.reset();
  return state;
}

base::Result<void> TokenBatchSampler::check(const SamplerState& state, bool same_cut) const {
  if (state.samples != static_cast<int64_t>(plan_->samples())) {
    return Error{ErrorKind::input,
                 fmt::format("the data set has {} samples, but that of the saved state has {}",
                             plan_->samples(), state.samples)};
  }
  if (state.lengths_digest != plan_->lengths_digest()) {
    return Error{ErrorKind::input, "the sample lengths differ from those of the saved state"};
  }
  const bool begins = state.position == 0 && state.ahead.empty();
  const std::string fix = "load a state from the end of an epoch, or resume with the same settings";
  if (!begins && state.ranks != options_.ranks) {
    return Error{ErrorKind::usage,
                 fmt::format("{} ranks cannot resume in the middle of an epoch of {} ranks",
                             options_.ranks, state.ranks),
                 "", fix};
  }
  if (!begins && !same_cut) {
    return Error{ErrorKind::usage,
                 "the saved epoch used another max_tokens, max_batch, window or run file", "", fix};
  }
  if (!state.ahead.empty() && state.rank != rank_) {
    return Error{ErrorKind::usage,
                 fmt::format("rank {} trained out of order: rank {} cannot resume from its state",
                             state.rank, rank_),
                 "", "save one state per rank"};
  }
  return {};
}

base::Result<void> TokenBatchSampler::load(const SamplerState& state) {
  BatchSamplerOptions options = options_;
  options.max_tokens = std::max<int64_t>(1, state.max_tokens);
  auto plan = StepPlan::make(lengths_, options);
  if (!plan) return plan.error();
  const bool same_cut = plan->digest() == state.plan_digest;
  if (auto checked = check(state, same_cut); !checked) return checked.error();
  const auto steps = static_cast<int64_t>(plan->steps());
  const auto is_step = [&](int64_t number) { return number >= 0 && number < steps; };
  if (state.epoch < 0 || !is_step(state.position.value_or(0)) ||
      !std::all_of(state.ahead.begin(), state.ahead.end(), is_step)) {
    return Error{ErrorKind::input, "the saved state contains steps outside the epoch"};
  }
  options_.seed = state.seed;
  limit_ = state.limit;
  will_recut_ = false;
  if (same_cut) {
    options_.max_tokens = options.max_tokens;
    plan_ = std::make_shared<const StepPlan>(*std::move(plan));
  }
  enter(state.epoch);
  position_ = state.position.value_or(0);
  ahead_ = {state.ahead.begin(), state.ahead.end()};
  is_counted_ = is_counted_ || position_ > 0 || !ahead_.empty();
  was_loaded_ = true;
  return {};
}

void TokenBatchSampler::limit_to(std::optional<int64_t> max_tokens, bool recut) {
  limit_ = max_tokens;
  if (limit_) limit_ = std::max<int64_t>(1, *limit_);
  will_recut_ = recut && limit_.has_value();
}

std::vector<int64_t> TokenBatchSampler::lengths_of(int64_t number) const {
  if (number < 0 || number >= steps() || rank_ == kAllRanks) return {};
  std::vector<int64_t> lengths;
  for (const uint32_t place :
       order()->batch(static_cast<std::size_t>(number), static_cast<std::size_t>(rank_))) {
    lengths.push_back(plan_->length(place));
  }
  return lengths;
}

std::vector<int64_t> TokenBatchSampler::parts_of(int64_t number) const {
  return fewest_batches(lengths_of(number), limit_.value_or(Limits().max_tokens));
}

uint64_t TokenBatchSampler::fingerprint() const {
  uint64_t print = stats::mix_seed(plan_->digest(), options_.seed);
  for (const int64_t part : {epoch_, position_, will_recut_ ? *limit_ : -1}) {
    print = stats::mix_seed(print, static_cast<uint64_t>(part));
  }
  return print;
}

}  // namespace batchscope::serving
