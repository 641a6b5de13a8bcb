#include "batchscope/serving/memory_ceiling.hpp"

#include <algorithm>

namespace batchscope::serving {
namespace {

constexpr int64_t kMostDoublings = 64;

}  // namespace

MemoryCeiling::MemoryCeiling(const Options& options)
    : options_(options), patience_(options.recover_after) {}

void MemoryCeiling::out_of_memory(int64_t size) {
  limit_ = std::min(limit_, std::max<int64_t>(1, size / 2));
  failed_ = size;
  successes_ = 0;
  if (raised_) patience_ = std::min(2 * patience_, kMostDoublings * options_.recover_after);
  raised_ = false;
}

void MemoryCeiling::success(int64_t size) {
  // A small batch tells nothing of whether a large one would fit.
  if (limit_ == kNone || size < limit_ - limit_ / 2) return;
  if (++successes_ < patience_) return;
  successes_ = 0;
  raised_ = true;
  const auto grown = static_cast<int64_t>(static_cast<double>(limit_) * options_.growth);
  limit_ = std::max(limit_ + 1, grown);
  if (limit_ / 2 >= failed_) limit_ = kNone;
}

}  // namespace batchscope::serving
