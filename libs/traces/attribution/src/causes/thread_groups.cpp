#include "thread_groups.hpp"

#include <algorithm>
#include <optional>

namespace batchscope::attribution {
namespace {

// How much of the time of one that takes turns may overlap with another's: clocks and rounding.
constexpr double kMostOverlap = 0.1;
// Teams that a thread is held against; the rest of a file with more threads stay alone.
constexpr size_t kMostTeams = 8;

// The time of a thread in which it does something.
class ActiveTime {
 public:
  explicit ActiveTime(const std::vector<HostSpan>& spans) : spans_(spans) {
    before_.reserve(spans.size() + 1);
    for (const HostSpan& each : spans) {
      before_.push_back(before_.back() + each.end_ns - each.start_ns);
    }
  }

  int64_t all() const { return before_.back(); }

  int64_t within(const HostSpan& span) const { return until(span.end_ns) - until(span.start_ns); }

 private:
  int64_t until(int64_t time) const {
    const auto next =
        std::lower_bound(spans_.begin(), spans_.end(), time,
                         [](const HostSpan& each, int64_t at) { return each.end_ns < at; });
    const int64_t full = before_[static_cast<size_t>(next - spans_.begin())];
    if (next == spans_.end()) return full;
    return full + std::max<int64_t>(0, time - next->start_ns);
  }

  const std::vector<HostSpan>& spans_;
  std::vector<int64_t> before_{0};
};

bool take_turns(const std::vector<HostSpan>& spans, const ActiveTime& other) {
  int64_t active = 0;
  int64_t both = 0;
  for (const HostSpan& each : spans) {
    active += each.end_ns - each.start_ns;
    both += other.within(each);
  }
  return static_cast<double>(both) <=
         kMostOverlap * static_cast<double>(std::min(active, other.all()));
}

}  // namespace

ThreadGroups::ThreadGroups(const trace::Trace& trace, const std::vector<uint32_t>& launchers,
                           const StatesOf& states_of) {
  std::vector<ActiveTime> leaders;
  for (const uint32_t track : launchers) {
    std::optional<size_t> team;
    for (size_t i = 0; i < leaders.size() && !team; ++i) {
      if (trace.tracks[teams_[i].front()].process != trace.tracks[track].process) continue;
      if (take_turns(states_of(track), leaders[i])) team = i;
    }
    if (!team) {
      team = teams_.size();
      teams_.emplace_back();
      if (leaders.size() < kMostTeams) leaders.emplace_back(states_of(track));
    }
    teams_[*team].push_back(track);
    numbers_[track] = *team;
  }
}

}  // namespace batchscope::attribution
