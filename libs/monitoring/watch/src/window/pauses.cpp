#include "pauses.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "batchscope/watch/loop_end.hpp"
#include "times.hpp"

namespace batchscope::watch {
namespace {

constexpr std::size_t kGaps = 15, kMostPauses = 128, kMostSources = 64;
// A stall of a few seconds belongs to the loop.
constexpr int64_t kPartsOfWindow = 4, kTimesTypical = 3, kWindowsOfHabit = 30;
// Kernels are compiled, for one shape after the other.
constexpr std::size_t kWarmUpSteps = 10;
constexpr int64_t kLongestWarmUpNs = 300'000'000'000;

// Logs hold any times, and their differences may be no 64-bit numbers.
int64_t bounded(int64_t ns) {
  constexpr int64_t kYear2116 = int64_t{1} << 62;
  return std::clamp<int64_t>(ns, 0, kYear2116);
}

int64_t overlap_of(int64_t from_ns, int64_t to_ns, int64_t other_from_ns, int64_t other_to_ns) {
  return std::max<int64_t>(0, std::min(to_ns, other_to_ns) - std::max(from_ns, other_from_ns));
}

}  // namespace

int64_t Pauses::Source::typical_gap_ns() const {
  if (gaps_ns.empty()) return 0;
  std::vector<int64_t> gaps(gaps_ns.begin(), gaps_ns.end());
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  constexpr int64_t kMost = int64_t{1} << 60;
  return std::min(*middle, kMost);
}

int64_t Pauses::Source::longest_gap_ns(int64_t window_ns) const {
  return std::max(window_ns / kPartsOfWindow, kTimesTypical * typical_gap_ns());
}

bool Pauses::Source::pauses_now(int64_t now_ns, int64_t window_ns) const {
  return now_ns - last_step_ns > longest_gap_ns(window_ns);
}

double Pauses::Source::seconds_before_it_has_ended() const {
  int64_t longest_ns = 0;
  for (const int64_t gap_ns : gaps_ns) longest_ns = std::max(longest_ns, gap_ns);
  for (const Pause& pause : pauses) {
    if (pause.from_ns > 0) longest_ns = std::max(longest_ns, pause.to_ns - pause.from_ns);
  }
  return seconds_before_a_loop_has_ended(static_cast<double>(longest_ns) / 1e9, last_step_seconds);
}

bool Pauses::Source::has_ended(int64_t now_ns) const {
  return seconds_between(last_step_ns, now_ns) > seconds_before_it_has_ended();
}

int64_t Pauses::Source::paused_ns(int64_t from_ns, int64_t to_ns, int64_t now_ns,
                                  int64_t window_ns) const {
  int64_t paused = 0;
  for (const Pause& pause : pauses) {
    paused += overlap_of(from_ns, to_ns, pause.from_ns, pause.to_ns);
  }
  if (warms_up(now_ns)) {
    paused += overlap_of(from_ns, to_ns, first_step_ns, now_ns);
  } else if (pauses_now(now_ns, window_ns)) {
    paused += overlap_of(from_ns, to_ns, last_step_ns, now_ns);
  }
  return paused;
}

bool Pauses::Source::warms_up(int64_t now_ns) const {
  return !is_warm && now_ns - first_step_ns <= kLongestWarmUpNs;
}

void Pauses::Source::note_first_step(int64_t time_ns, int64_t window_ns) {
  first_steps.push_back({last_step_ns, time_ns});
  if (first_steps.size() >= kWarmUpSteps || !warms_up(time_ns)) settle_first_steps(window_ns);
}

// Up to the last that took far longer than the shortest quarter they were no steps of the loop as
// it is.
void Pauses::Source::settle_first_steps(int64_t window_ns) {
  constexpr std::size_t kEnough = 3, kShortest = 4;
  std::vector<int64_t> took;
  for (const Pause& step : first_steps) took.push_back(step.to_ns - step.from_ns);
  std::ranges::sort(took);
  const int64_t usual_ns = took.size() < kEnough ? 0 : took[took.size() / kShortest];
  int64_t ended_ns = first_step_ns;
  for (const Pause& step : first_steps) {
    if (step.to_ns - step.from_ns > kTimesTypical * usual_ns) ended_ns = step.to_ns;
  }
  if (ended_ns - first_step_ns > window_ns / kPartsOfWindow) {
    pauses.push_back({first_step_ns, ended_ns});
  }
  first_steps.clear();
  is_warm = true;
}

void Pauses::Source::cover(int64_t step_ns) {
  if (pauses.empty()) return;
  Pause& last = pauses.back();
  last.to_ns = std::max(last.from_ns, last.to_ns - step_ns);
}

void Pauses::add_step(const std::string& source, int64_t step, int64_t time_ns, double seconds) {
  if (!sources_.contains(source) && sources_.size() >= kMostSources) return;
  time_ns = bounded(time_ns);
  Source& loop = sources_[source];
  const bool is_first = loop.last_step_ns == 0;
  if (is_first) {
    loop.first_step_ns = time_ns;
    loop.is_warm = !may_warm_up(time_ns);
  }
  ++loop.steps;
  for (const auto& [name, other] : sources_) {
    if (other.last_step_ns > loop.last_step_ns && !is_first) ++loop.beside[name];
  }
  const int64_t longest_ns = loop.longest_gap_ns(window_ns_);
  // A longer one has the pause in it.
  const auto step_ns =
      static_cast<int64_t>(std::clamp(seconds * 1e9, 0.0, static_cast<double>(longest_ns)));
  if (!first_step_ns_) first_step_ns_ = time_ns;
  if (is_first) {
    loop.pauses.push_back({std::numeric_limits<int64_t>::min() / 4, time_ns - step_ns});
  } else if (time_ns >= loop.last_step_ns) {
    const int64_t gap_ns = time_ns - loop.last_step_ns;
    if (!loop.is_warm) {
      if (step > loop.last_step || !loop.warms_up(time_ns))
        loop.note_first_step(time_ns, window_ns_);
    } else if (gap_ns > longest_ns) {
      // Its own step was like the others, whatever the loop counts into it.
      const int64_t typical_ns = loop.typical_gap_ns();
      const int64_t own_ns = typical_ns > 0 ? std::min(step_ns, typical_ns) : step_ns;
      loop.pauses.push_back({loop.last_step_ns, time_ns - own_ns});
    }
    // Ranks under one name tell of the same step.
    if (gap_ns < step_ns / 4 && step > loop.last_step) loop.cover(step_ns - gap_ns);
    loop.gaps_ns.push_back(std::max(gap_ns, step_ns));
  }
  if (loop.gaps_ns.size() > kGaps) loop.gaps_ns.pop_front();
  if (loop.pauses.size() > kMostPauses) loop.pauses.pop_front();
  loop.last_step_ns = std::max(loop.last_step_ns, time_ns);
  loop.last_step = step;
  loop.last_step_seconds = seconds;
}

bool Pauses::may_warm_up(int64_t first_step_ns) {
  if (!warm_up_ns_ || first_step_ns - *warm_up_ns_ > kWindowsOfHabit * window_ns_) {
    warm_up_ns_ = first_step_ns;
  }
  return first_step_ns - *warm_up_ns_ <= kLongestWarmUpNs;
}

int64_t Pauses::longest_gap_ns() const {
  int64_t longest = window_ns_ / kPartsOfWindow;
  for (const auto& [name, loop] : sources_) {
    longest = std::max(longest, loop.longest_gap_ns(window_ns_));
  }
  return longest;
}

std::optional<Pauses::Stopped> Pauses::stopped_at(int64_t idle_since_ns, int64_t now_ns) const {
  idle_since_ns = bounded(idle_since_ns);
  now_ns = bounded(now_ns);
  std::optional<Stopped> stopped;
  for (const auto& [name, loop] : sources_) {
    const bool is_then =
        idle_since_ns - loop.last_step_ns >= -window_ns_ / kPartsOfWindow &&
        seconds_between(loop.last_step_ns, idle_since_ns) <= loop.seconds_before_it_has_ended();
    const bool is_earlier = !stopped || loop.last_step_ns < stopped->last_step_ns;
    if (is_then && is_earlier && loop.pauses_now(now_ns, window_ns_)) {
      const int64_t paused_ns = loop.last_step_ns + loop.longest_gap_ns(window_ns_);
      const bool another_went_on = std::ranges::any_of(
          sources_, [&](const auto& each) { return each.second.last_step_ns > paused_ns; });
      stopped = {loop.last_step_ns, loop.has_ended(now_ns), another_went_on};
    }
  }
  return stopped;
}

bool Pauses::makes_steps_beside_another(const std::string& name, const Source& loop) const {
  constexpr int64_t kFewestSteps = 8;
  const auto are_most = [](const Source& of, const std::string& other) {
    const auto found = of.beside.find(other);
    return found != of.beside.end() && of.steps >= kFewestSteps && found->second > of.steps / 2;
  };
  return std::ranges::any_of(sources_, [&](const auto& each) {
    return each.first != name && (are_most(loop, each.first) || are_most(each.second, name));
  });
}

bool Pauses::one_pauses(int64_t from_ns, int64_t to_ns, int64_t now_ns) const {
  return std::ranges::any_of(sources_, [&](const auto& each) {
    const auto& [name, loop] = each;
    if (loop.paused_ns(from_ns, to_ns, now_ns, window_ns_) <= (to_ns - from_ns) / 2) return false;
    const int64_t since_ns =
        std::max(loop.first_step_ns, loop.last_step_ns - kWindowsOfHabit * window_ns_);
    const int64_t known_ns = loop.last_step_ns - since_ns;
    return !loop.has_ended(now_ns) &&
           loop.paused_ns(since_ns, loop.last_step_ns, loop.last_step_ns, window_ns_) <=
               known_ns / 2 &&
           makes_steps_beside_another(name, loop);
  });
}

int64_t Pauses::paused_ns(int64_t from_ns, int64_t to_ns, int64_t now_ns) const {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const auto& [name, loop] : sources_) {
    least = std::min(least, loop.paused_ns(from_ns, to_ns, now_ns, window_ns_));
  }
  return least;
}

bool Pauses::hold(int64_t from_ns, int64_t to_ns, int64_t now_ns) const {
  from_ns = bounded(from_ns);
  to_ns = bounded(to_ns);
  now_ns = bounded(now_ns);
  if (sources_.empty()) return false;
  if (paused_ns(from_ns, to_ns, now_ns) <= (to_ns - from_ns) / 2) {
    return one_pauses(from_ns, to_ns, now_ns);
  }
  const int64_t habit_ns = kWindowsOfHabit * window_ns_;
  if (now_ns - *first_step_ns_ < habit_ns) return true;
  return paused_ns(now_ns - habit_ns, now_ns, now_ns) <= habit_ns / 2;
}

}  // namespace batchscope::watch
