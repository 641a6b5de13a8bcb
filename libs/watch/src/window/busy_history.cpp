#include "busy_history.hpp"

#include <algorithm>
#include <cstddef>

#include "recent.hpp"
#include "times.hpp"

namespace batchscope::watch {
namespace {

using Part = BusyHistory::Part;

constexpr std::size_t kUnmerged = 10 * kBuckets, kMerged = 40;

Part merged(const Part& earlier, const Part& later) {
  Part both{earlier.began_ns, later.ended_ns, 0, earlier.seconds + later.seconds, true};
  if (both.seconds <= 0) return both;
  both.mean = (earlier.mean * earlier.seconds + later.mean * later.seconds) / both.seconds;
  return both;
}

bool lies_in(const Part& part, const Stretch& time) {
  const int64_t middle_ns = part.began_ns / 2 + part.ended_ns / 2;
  return middle_ns >= time.since_ns && (!time.ended_ns || middle_ns <= *time.ended_ns);
}

}  // namespace

void BusyHistory::add(int64_t began_ns, int64_t ended_ns, double mean, const IsPaused& is_paused) {
  if (parts_.empty()) parts_.reserve(kUnmerged + kMerged + 1);
  parts_.push_back({began_ns, ended_ns, mean, seconds_between(began_ns, ended_ns), false});
  if (parts_.size() > kUnmerged + kMerged) merge_oldest(is_paused);
}

void BusyHistory::merge_oldest(const IsPaused& is_paused) {
  const auto counted = [&](Part part) {
    if (!part.is_settled && is_paused(part.began_ns, part.ended_ns)) part.seconds = 0;
    return part;
  };
  std::vector<Part> left;
  left.reserve(parts_.capacity());
  for (std::size_t i = 0; i < kMerged; i += 2) {
    left.push_back(merged(counted(parts_[i]), counted(parts_[i + 1])));
  }
  left.insert(left.end(), parts_.begin() + kMerged, parts_.end());
  parts_ = std::move(left);
}

std::vector<Part> BusyHistory::during(std::span<const Stretch> times,
                                      const IsPaused& is_paused) const {
  std::vector<Part> found;
  for (const Part& part : parts_) {
    const auto holds = [&](const Stretch& time) { return lies_in(part, time); };
    if (part.seconds <= 0 || std::ranges::none_of(times, holds)) continue;
    if (part.is_settled || !is_paused(part.began_ns, part.ended_ns)) found.push_back(part);
  }
  return found;
}

}  // namespace batchscope::watch
