#include "batchscope/serving/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "batchscope/serving/split.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::serving {

TokenBatchSampler::TokenBatchSampler(std::vector<int64_t> lengths, const SamplerOptions& options)
    : lengths_(std::move(lengths)), options_(options), ceiling_(options.ceiling) {
  for (int64_t& length : lengths_) length = std::max<int64_t>(1, length);
  options_.window = std::max<std::size_t>(1, options_.window);
}

void TokenBatchSampler::start_epoch(int64_t epoch) {
  settle();
  epoch_ = epoch;
  order_.resize(lengths_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  stats::Rng rng(stats::mix_seed(options_.seed, static_cast<uint64_t>(epoch)));
  rng.shuffle(std::span(order_));
  ready_.clear();
  at_ = 0;
}

std::optional<std::vector<std::size_t>> TokenBatchSampler::next() {
  settle();
  if (ready_.empty()) fill_window();
  if (ready_.empty()) return std::nullopt;
  Batch batch = std::move(ready_.back());
  ready_.pop_back();
  // The ceiling may have come down since the batch was formed.
  std::vector<Batch> pieces = cut(batch);
  ready_.insert(ready_.end(), std::move_iterator(pieces.rbegin()),
                std::move_iterator(pieces.rend() - 1));
  return *(out_ = std::move(pieces.front()));
}

base::Result<void> TokenBatchSampler::out_of_memory() {
  if (!out_) return {};
  const Batch batch = *std::exchange(out_, std::nullopt);
  ceiling_.out_of_memory(padded_tokens(batch));
  if (batch.size() == 1) {
    return base::Error{
        base::ErrorKind::out_of_memory,
        fmt::format("a sample of {} tokens does not fit, even alone: it is left out of this epoch",
                    lengths_[batch.front()]),
        fmt::format("sample {}", batch.front()), "cut long samples, or free memory"};
  }
  const auto middle = batch.begin() + static_cast<std::ptrdiff_t>(batch.size() / 2);
  ready_.emplace_back(middle, batch.end());
  ready_.emplace_back(batch.begin(), middle);
  return {};
}

int64_t TokenBatchSampler::token_limit() const {
  return std::min(options_.max_tokens, ceiling_.limit());
}

void TokenBatchSampler::settle() {
  if (out_) ceiling_.success(padded_tokens(*out_));
  out_.reset();
}

void TokenBatchSampler::fill_window() {
  const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(at_);
  const auto end =
      begin + static_cast<std::ptrdiff_t>(std::min(options_.window, order_.size() - at_));
  // Equal lengths stay in their random order.
  std::stable_sort(begin, end,
                   [&](std::size_t a, std::size_t b) { return lengths_[a] < lengths_[b]; });
  ready_ = cut({begin, end});
  stats::Rng rng(stats::mix_seed(options_.seed + static_cast<uint64_t>(epoch_), at_ + 1));
  rng.shuffle(std::span(ready_));
  at_ += static_cast<std::size_t>(end - begin);
}

std::vector<TokenBatchSampler::Batch> TokenBatchSampler::cut(
    std::span<const std::size_t> ascending) const {
  const Limits limits{.max_batch = options_.max_batch, .max_tokens = token_limit()};
  std::vector<Batch> batches;
  for (const std::size_t sample : ascending) {
    const auto size = batches.empty() ? 0 : static_cast<int64_t>(batches.back().size());
    // The newcomer is the longest.
    if (size == 0 || !limits.allow(size + 1, lengths_[sample])) batches.emplace_back();
    batches.back().push_back(sample);
  }
  return batches;
}

int64_t TokenBatchSampler::padded_tokens(const Batch& batch) const {
  return lengths_[batch.back()] * static_cast<int64_t>(batch.size());
}

}  // namespace batchscope::serving
