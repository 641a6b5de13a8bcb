#include "rules/faster_stretches.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace batchscope::training {

void FasterStretches::fell(int64_t index, double before) {
  constexpr std::size_t kMost = 32;
  if (!is_told_) levels_.push_back({index, index - since_, before});
  if (levels_.size() > kMost) levels_.pop_front();
  since_ = index;
  is_told_ = false;
}

bool FasterStretches::is_back(int64_t index, double after, double tolerance) const {
  constexpr int64_t kRemembered = 2000, kFewest = 200, kTimesAsMany = 2;
  int64_t steps = 0, until = 0;
  for (const Level& level : levels_) {
    if (index - level.until > kRemembered || std::abs(after - level.mean) > tolerance) continue;
    steps += level.steps;
    until = level.until;
  }
  return steps >= std::max(kFewest, kTimesAsMany * (index - until));
}

void FasterStretches::rose(int64_t index, bool told) {
  since_ = index;
  is_told_ = told;
}

void FasterStretches::restart(int64_t index) {
  levels_.clear();
  rose(index, false);
}

}  // namespace batchscope::training
