#include "halves.hpp"

#include <algorithm>
#include <tuple>

namespace batchscope::trace {
namespace {

auto thread_of(const Half& half) {
  return std::tuple(half.process, half.thread);
}

bool comes_before(const Half& a, const Half& b) {
  return std::tuple(thread_of(a), a.activity.start_ns) <
         std::tuple(thread_of(b), b.activity.start_ns);
}

}  // namespace

JoinedHalves join_halves(std::vector<Half> halves) {
  // Of the same time the file's order decides.
  std::stable_sort(halves.begin(), halves.end(), comes_before);
  JoinedHalves joined;
  std::vector<Half> open;
  const auto leave_open = [&] {
    joined.begins_alone += static_cast<int64_t>(open.size());
    open.clear();
  };
  for (const Half& half : halves) {
    if (!open.empty() && thread_of(open.back()) != thread_of(half)) leave_open();
    if (half.is_begin) {
      open.push_back(half);
    } else if (open.empty()) {
      ++joined.ends_alone;
    } else {
      Activity activity = open.back().activity;
      activity.duration_ns = half.activity.start_ns - activity.start_ns;
      joined.activities.push_back(activity);
      open.pop_back();
    }
  }
  leave_open();
  return joined;
}

}  // namespace batchscope::trace
