#include "rules/faster_segments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace batchscope::training {

void FasterSegments::fell(int64_t index, int64_t step, double before) {
  constexpr std::size_t kMost = 32;
  if (!is_reported_) levels_.push_back({index, step, index - since_, first_.value_or(before)});
  if (levels_.size() > kMost) levels_.pop_front();
  since_ = index;
  is_reported_ = false;
  first_.reset();
}

std::optional<int64_t> FasterSegments::as_before(int64_t index, double after, double tolerance) {
  constexpr int64_t kRemembered = 2000, kFewest = 200, kTimesAsMany = 2;
  int64_t steps = 0;
  const Level* latest = nullptr;
  for (const Level& level : levels_) {
    if (index - level.until > kRemembered || std::abs(after - level.mean) > tolerance) continue;
    steps += level.steps;
    latest = &level;
  }
  if (latest == nullptr || steps < std::max(kFewest, kTimesAsMany * (index - latest->until))) {
    return std::nullopt;
  }
  since_ = index;
  first_ = latest->mean;
  return latest->until_step;
}

void FasterSegments::rose(int64_t index) {
  since_ = index;
  is_reported_ = true;
  first_.reset();
}

void FasterSegments::restart(int64_t index) {
  levels_.clear();
  rose(index);
  is_reported_ = false;
}

}  // namespace batchscope::training
