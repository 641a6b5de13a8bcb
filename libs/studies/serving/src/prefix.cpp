#include "prefix.hpp"

#include <algorithm>
#include <numeric>

namespace batchscope::serving {

std::vector<std::size_t> first_places(std::size_t count) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

Prefix longest_prefix(std::span<const Waiting> queue, const Limits& limits) {
  std::size_t count = 0;
  int64_t longest = 1;
  for (const Waiting& request : queue) {
    if (!limits.allow(static_cast<int64_t>(count) + 1, std::max(longest, request.tokens))) break;
    longest = std::max(longest, request.tokens);
    ++count;
  }
  const bool more = limits.allow(static_cast<int64_t>(count) + 1, longest);
  return {count, !more || count < queue.size()};
}

bool is_due(base::Nanoseconds oldest, base::Nanoseconds max_delay, base::Nanoseconds now) {
  return now >= kNoMoreWaiting || now - oldest >= max_delay;
}

base::Nanoseconds later(base::Nanoseconds time, base::Nanoseconds delay) {
  constexpr auto kEnd = base::Nanoseconds::max();
  return delay > base::Nanoseconds(0) && time > kEnd - delay ? kEnd : time + delay;
}

Decision now_or_wait(std::vector<std::size_t> members, bool full, base::Nanoseconds oldest,
                     base::Nanoseconds max_delay, base::Nanoseconds now, std::size_t wake_at) {
  if (full || is_due(oldest, max_delay, now)) return {.members = std::move(members)};
  return {.members = {}, .until = later(oldest, max_delay), .wake_at = wake_at};
}

}  // namespace batchscope::serving
