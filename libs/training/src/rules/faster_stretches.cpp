#include "rules/faster_stretches.hpp"

#include <algorithm>

namespace batchscope::training {

void FasterStretches::fell(int64_t index, const StepLevel& before) {
  const int64_t since = falls_.empty() ? since_ : falls_.back().index;
  falls_.push_back({index, index - since, slower_than_.value_or(before)});
  slower_than_.reset();
  if (falls_.size() > kMost) falls_.pop_front();
}

std::optional<StepLevel> FasterStretches::rose(int64_t index, const StepLevel& before,
                                               const StepLevel& after) {
  constexpr int64_t kTimesAsLong = 2;
  constexpr double kIsBack = 0.05;  // of the logarithm of seconds
  const auto slowest = std::ranges::max_element(falls_, {}, [&](const Fall& fall) {
    return kTimesAsLong * (index - fall.index) <= fall.lasted ? fall.level.mean : before.mean;
  });
  const bool is_stretch = slowest != falls_.end() && slowest->level.mean > before.mean &&
                          kTimesAsLong * (index - slowest->index) <= slowest->lasted;
  if (!is_stretch) {
    falls_.clear();
    since_ = index;
    if (!slower_than_) slower_than_ = before;
    return std::nullopt;
  }
  const StepLevel level = slowest->level;
  if (after.mean < level.mean - kIsBack) return level;
  slower_than_ = level;
  falls_.erase(slowest, falls_.end());
  return level;
}

void FasterStretches::restart(int64_t index) {
  falls_.clear();
  since_ = index;
  slower_than_.reset();
}

}  // namespace batchscope::training
