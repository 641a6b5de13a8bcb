#include "pauses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace batchscope::watch {
namespace {

constexpr std::size_t kGaps = 15, kMostPauses = 16;
// A stall of a few seconds belongs to the loop.
constexpr int64_t kPartsOfWindow = 4, kTimesTypical = 3;

int64_t overlap_of(int64_t from_ns, int64_t to_ns, int64_t other_from_ns, int64_t other_to_ns) {
  return std::max<int64_t>(0, std::min(to_ns, other_to_ns) - std::max(from_ns, other_from_ns));
}

}  // namespace

int64_t Pauses::longest_gap_ns() const {
  const int64_t least = window_ns_ / kPartsOfWindow;
  if (gaps_ns_.empty()) return least;
  std::vector<int64_t> gaps(gaps_ns_.begin(), gaps_ns_.end());
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return std::max(least, kTimesTypical * *middle);
}

void Pauses::add_step(int64_t time_ns, double seconds) {
  const double most = static_cast<double>(longest_gap_ns());
  const auto step_ns = static_cast<int64_t>(std::clamp(seconds * 1e9, 0.0, most));
  if (!last_step_ns_) {
    pauses_.push_back({0, time_ns - step_ns});
  } else if (const int64_t gap_ns = time_ns - *last_step_ns_; gap_ns > 0) {
    if (gap_ns > longest_gap_ns()) pauses_.push_back({*last_step_ns_, time_ns - step_ns});
    gaps_ns_.push_back(gap_ns);
    if (gaps_ns_.size() > kGaps) gaps_ns_.pop_front();
  }
  if (pauses_.size() > kMostPauses) pauses_.pop_front();
  last_step_ns_ = std::max(last_step_ns_.value_or(time_ns), time_ns);
}

bool Pauses::hold(int64_t from_ns, int64_t to_ns, int64_t now_ns) const {
  if (!last_step_ns_) return false;
  int64_t paused_ns = 0;
  for (const Pause& pause : pauses_) {
    paused_ns += overlap_of(from_ns, to_ns, pause.from_ns, pause.to_ns);
  }
  if (now_ns - *last_step_ns_ > longest_gap_ns()) {
    paused_ns += overlap_of(from_ns, to_ns, *last_step_ns_, now_ns);
  }
  return 2 * paused_ns > to_ns - from_ns;
}

}  // namespace batchscope::watch
