#include "busy_history.hpp"

#include <algorithm>
#include <cstddef>

#include "recent.hpp"

namespace batchscope::watch {
namespace {

using Part = BusyHistory::Part;

constexpr std::size_t kUnsettled = 10 * kBuckets, kMostOfKind = 80;

int64_t middle_of(const Part& part) {
  return part.began_ns / 2 + part.ended_ns / 2;
}

bool lies_in(const Part& part, const Episode& time) {
  const int64_t middle_ns = middle_of(part);
  return middle_ns >= time.since_ns && (!time.ended_ns || middle_ns <= *time.ended_ns);
}

Part merged(const Part& earlier, const Part& later) {
  const double seconds = earlier.seconds + later.seconds;
  const double mean = (earlier.mean * earlier.seconds + later.mean * later.seconds) / seconds;
  return {earlier.began_ns, later.ended_ns, mean, seconds};
}

void merge_pairs(std::vector<Part>& parts) {
  std::vector<Part> left;
  left.reserve(parts.size());
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    left.push_back(merged(parts[i], parts[i + 1]));
  }
  parts = std::move(left);
}

}  // namespace

void BusyHistory::add(const Part& part) {
  if (part.seconds > 0) recent_.push_back(part);
}

void BusyHistory::settle(const KindAt& kind_at, const IsPaused& is_paused) {
  while (recent_.size() > kUnsettled) {
    const Part& oldest = recent_.front();
    const std::string_view kind = kind_at(middle_of(oldest));
    if (!kind.empty() && !is_paused(oldest.began_ns, oldest.ended_ns)) {
      std::vector<Part>& parts = settled_[std::string(kind)];
      if (parts.empty()) parts.reserve(kMostOfKind);
      parts.push_back(oldest);
      if (parts.size() == kMostOfKind) merge_pairs(parts);
    }
    recent_.pop_front();
  }
}

std::vector<Part> BusyHistory::during(std::string_view kind, std::span<const Episode> times,
                                      const IsPaused& is_paused) const {
  std::vector<Part> found;
  if (const auto settled = settled_.find(kind); settled != settled_.end()) found = settled->second;
  for (const Part& part : recent_) {
    const auto holds = [&](const Episode& time) { return lies_in(part, time); };
    if (std::ranges::none_of(times, holds)) continue;
    if (!is_paused(part.began_ns, part.ended_ns)) found.push_back(part);
  }
  return found;
}

std::vector<Part> BusyHistory::since(int64_t from_ns, const IsPaused& is_paused) const {
  std::vector<Part> found;
  for (const Part& part : recent_) {
    if (part.began_ns >= from_ns && !is_paused(part.began_ns, part.ended_ns)) found.push_back(part);
  }
  return found;
}

}  // namespace batchscope::watch
