#include "batchscope/loading/sample_order.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace batchscope::loading {
namespace {

constexpr std::size_t kKeptEpochs = 4;  // workers may be in different ones

}  // namespace

const std::vector<std::size_t>& SampleOrder::epoch(uint64_t number) {
  const auto known = epochs_.find(number);
  if (known != epochs_.end()) return known->second;
  std::vector<std::size_t> order(samples_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::seed_seq seeds{seed_ >> 32, seed_ & 0xFFFF'FFFF, number >> 32, number & 0xFFFF'FFFF};
  std::mt19937_64 random(seeds);
  for (std::size_t i = samples_; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  while (epochs_.size() >= kKeptEpochs) epochs_.erase(epochs_.begin());
  return epochs_.emplace(number, std::move(order)).first->second;
}

std::vector<std::size_t> SampleOrder::batch(int64_t number, int64_t batch_size) {
  const std::lock_guard lock(mutex_);
  std::vector<std::size_t> samples;
  samples.reserve(static_cast<std::size_t>(batch_size));
  const auto first = static_cast<uint64_t>(number) * static_cast<uint64_t>(batch_size);
  for (uint64_t at = first; at < first + static_cast<uint64_t>(batch_size); ++at) {
    samples.push_back(epoch(at / samples_)[at % samples_]);
  }
  return samples;
}

}  // namespace batchscope::loading
