#include "truth.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "uncounted.hpp"

namespace batchscope::trace_simulator {
namespace {

struct Span {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
};

bool is_recorded(const Timeline& line, const DeviceEvent& event) {
  return event.start_ns >= line.recorded_from_ns;
}

// Of a device, in the order of their start.
std::vector<size_t> recorded_of(const Timeline& line, int device, bool with_lost = false) {
  std::vector<size_t> events;
  for (size_t i = 0; i < line.device.size(); ++i) {
    const DeviceEvent& event = line.device[i];
    if (event.is_lost && !with_lost) continue;
    if (event.place.device == device && is_recorded(line, event)) events.push_back(i);
  }
  std::stable_sort(events.begin(), events.end(), [&](size_t a, size_t b) {
    return line.device[a].start_ns < line.device[b].start_ns;
  });
  return events;
}

struct Gap {
  Span span;
  size_t ended_by = kNothing;
};

std::vector<Gap> gaps_of(const Timeline& line, const std::vector<size_t>& events) {
  std::vector<Gap> gaps;
  int64_t busy_until = events.empty() ? 0 : line.device[events.front()].start_ns;
  for (const size_t i : events) {
    const DeviceEvent& event = line.device[i];
    if (event.start_ns > busy_until) gaps.push_back({{busy_until, event.start_ns}, i});
    busy_until = std::max(busy_until, event.end_ns);
  }
  return gaps;
}

int64_t length(const std::vector<Gap>& gaps) {
  return std::accumulate(gaps.begin(), gaps.end(), int64_t{0}, [](int64_t sum, const Gap& gap) {
    return sum + gap.span.end_ns - gap.span.start_ns;
  });
}

// Says of a gap, from its end to its start, what the device was waiting for.
class Blame {
 public:
  Blame(const Timeline& line, std::vector<IdlePiece>& pieces) : line_(line), pieces_(pieces) {}

  void explain(const Gap& gap) {
    const size_t first = pieces_.size();
    from_ = gap.span.start_ns;
    was_queued_ = line_.device[gap.ended_by].called_ns < from_;
    work(gap.ended_by, gap.span.end_ns);
    std::reverse(pieces_.begin() + static_cast<std::ptrdiff_t>(first), pieces_.end());
  }

  // Nothing ends it: what the thread did.
  void explain_by_thread(const Span& span, size_t index) {
    const size_t first = pieces_.size();
    from_ = span.start_ns;
    const auto& states = line_.states[index];
    const int64_t ended = states.empty() ? span.start_ns : states.back().end_ns;
    const int64_t to = add(ended, span.end_ns, Cause::host_work);
    thread(index, span.start_ns, to);
    std::reverse(pieces_.begin() + static_cast<std::ptrdiff_t>(first), pieces_.end());
  }

 private:
  // What kept this work from starting before `to`.
  void work(size_t index, int64_t to) {
    while (to > from_) {
      const DeviceEvent& event = line_.device[index];
      to = add(event.start_ns - event.held_ns, to, Cause::device);
      if (event.after == kNothing) {
        to =
            add(event.called_ns, to, event.call_blocks ? Cause::synchronisation : Cause::launching);
        return thread(event.thread, from_, to);
      }
      const DeviceEvent& before = line_.device[event.after];
      to = add(before.end_ns, to, Cause::device);
      const bool is_seen = is_recorded(line_, before);
      to = add(before.start_ns, to, is_seen ? Cause::device : Cause::unknown);
      index = event.after;
    }
  }

  // What a thread did between these times.
  void thread(size_t index, int64_t from, int64_t to) {
    const std::vector<HostState>& states = line_.states[index];
    auto state =
        std::lower_bound(states.begin(), states.end(), to,
                         [](const HostState& each, int64_t time) { return each.start_ns < time; });
    while (to > from && state != states.begin()) {
      --state;
      const int64_t start = std::max(from, state->start_ns);
      if (state->doing == Doing::awaiting) {
        thread(state->awaited, start, to);
        to = std::min(to, start);
      } else {
        to = add(start, to, cause_of(state->doing));
      }
    }
    add(from, to, Cause::unknown);  // before the program began
  }

  static Cause cause_of(Doing doing) {
    switch (doing) {
      case Doing::loading:
        return Cause::loading;
      case Doing::host_work:
        return Cause::host_work;
      case Doing::blocked:
        return Cause::synchronisation;
      case Doing::launching:
      case Doing::awaiting:
        break;
    }
    return Cause::launching;
  }

  // Returns what is left: the time before.
  int64_t add(int64_t start, int64_t to, Cause cause) {
    start = std::max(start, from_);
    if (start >= to) return to;
    pieces_.push_back({start, to, cause, was_queued_ && cause == Cause::device});
    return start;
  }

  const Timeline& line_;
  std::vector<IdlePiece>& pieces_;
  int64_t from_ = 0;
  bool was_queued_ = false;
};

int64_t& of(CauseTimes& times, Cause cause) {
  return times[static_cast<size_t>(cause)];
}

CauseTimes sums_of(const std::vector<IdlePiece>& moments) {
  CauseTimes sums{};
  for (const IdlePiece& each : moments) of(sums, each.cause) += each.end_ns - each.start_ns;
  return sums;
}

// The share of the launching between the first and the last that the device did which is due to
// waits.
double share_of_waits(const Program& program, const Timeline& line, int device) {
  std::vector<IdlePiece> moments;
  Blame blame(line, moments);
  const std::vector<Gap> gaps = gaps_of(line, recorded_of(line, device, true));
  for (const Gap& gap : gaps) blame.explain(gap);
  CauseTimes sums = sums_of(moments);
  World no_waits;
  no_waits.calls_wait = false;
  const int64_t gone = length(gaps) - idle_ns(program, line, no_waits, device);
  const int64_t launching = of(sums, Cause::launching);
  const int64_t moved = std::clamp<int64_t>(gone - of(sums, Cause::synchronisation), 0, launching);
  return launching > 0 ? static_cast<double>(moved) / static_cast<double>(launching) : 0;
}

void split_launching(double share, DeviceTruth& truth) {
  int64_t& launching = of(truth.ns, Cause::launching);
  const auto moved = static_cast<int64_t>(share * static_cast<double>(launching));
  of(truth.ns, Cause::synchronisation) += moved;
  launching -= moved;
}

// Of the recorder's steps; the thread of the last of each loop, whose threads are a pair.
struct Steps {
  Span span{INT64_MAX, INT64_MIN};
  std::map<size_t, size_t> threads;
};

Steps steps_of(const Timeline& line) {
  Steps steps;
  for (const HostEvent& event : line.host) {
    if (!event.name.starts_with("ProfilerStep#") || event.start_ns < line.recorded_from_ns) {
      continue;
    }
    steps.span.start_ns = std::min(steps.span.start_ns, event.start_ns);
    steps.threads[event.thread / 2] = event.thread;
    steps.span.end_ns = std::max(steps.span.end_ns, event.end_ns);
  }
  return steps;
}

// When work of the device may have run whose record was lost.
std::vector<Span> hidden_of(const Timeline& line, int device) {
  std::map<Place, std::vector<const DeviceEvent*>> streams;
  for (const DeviceEvent& event : line.device) {
    if (event.place.device == device && is_recorded(line, event)) {
      streams[event.place].push_back(&event);
    }
  }
  std::vector<Span> hidden;
  for (const auto& [place, events] : streams) {
    int64_t before = INT64_MIN;
    for (size_t i = 0; i < events.size(); ++i) {
      if (!events[i]->is_lost) before = events[i]->end_ns;
      if (!events[i]->is_lost) continue;
      size_t next = i;
      while (next < events.size() && events[next]->is_lost) ++next;
      const int64_t end = next < events.size() ? events[next]->start_ns : INT64_MAX;
      hidden.push_back({std::max(before, events[i]->called_ns), end});
    }
  }
  return hidden;
}

void hide(const Span& hidden, std::vector<IdlePiece>& moments) {
  std::vector<IdlePiece> changed;
  for (IdlePiece each : moments) {
    const int64_t start = std::max(each.start_ns, hidden.start_ns);
    const int64_t end = std::min(each.end_ns, hidden.end_ns);
    if (end <= start) {
      changed.push_back(each);
      continue;
    }
    if (start > each.start_ns)
      changed.push_back({each.start_ns, start, each.cause, each.was_queued});
    changed.push_back({start, end, Cause::unknown});
    if (each.end_ns > end) changed.push_back({end, each.end_ns, each.cause, each.was_queued});
  }
  moments = std::move(changed);
}

void take_away(const Uncounted& time, std::vector<IdlePiece>& moments) {
  std::vector<IdlePiece> left;
  for (const IdlePiece& each : moments) {
    IdlePiece before = each, behind = each;
    before.end_ns = std::min(each.end_ns, time.start_ns);
    behind.start_ns = std::max(each.start_ns, time.end_ns);
    if (before.end_ns > before.start_ns) left.push_back(before);
    if (behind.end_ns > behind.start_ns) left.push_back(behind);
  }
  moments = std::move(left);
}

void cut(int64_t start_ns, std::vector<IdlePiece>& moments) {
  std::erase_if(moments, [&](const IdlePiece& each) { return each.end_ns <= start_ns; });
  for (IdlePiece& each : moments) each.start_ns = std::max(each.start_ns, start_ns);
}

DeviceTruth truth_of_device(const Program& program, const Timeline& line, int device,
                            bool has_steps) {
  const std::vector<size_t> events = recorded_of(line, device);
  DeviceTruth truth;
  truth.device = device;
  truth.start_ns = line.device[events.front()].start_ns;
  for (const size_t i : events) truth.end_ns = std::max(truth.end_ns, line.device[i].end_ns);
  Blame blame(line, truth.moments);
  const Steps steps = has_steps ? steps_of(line) : Steps{};
  const bool is_within = steps.span.start_ns < steps.span.end_ns;
  if (is_within && steps.span.start_ns < truth.start_ns) {
    blame.explain({{steps.span.start_ns, truth.start_ns}, events.front()});
  }
  for (const Gap& gap : gaps_of(line, events)) blame.explain(gap);
  if (is_within && steps.span.end_ns > truth.end_ns) {
    const size_t loop = line.device[events.back()].thread / 2;
    blame.explain_by_thread({truth.end_ns, steps.span.end_ns}, steps.threads.at(loop));
  }
  if (is_within) {
    truth.start_ns = steps.span.start_ns;
    truth.end_ns = std::max(truth.end_ns, steps.span.end_ns);
    cut(truth.start_ns, truth.moments);
    for (const Uncounted& each : uncounted_of(line)) {
      take_away(each, truth.moments);
      if (each.start_ns <= truth.start_ns) truth.start_ns = std::max(truth.start_ns, each.end_ns);
      truth.uncounted.push_back(each);
    }
    for (auto each = truth.uncounted.rbegin(); each != truth.uncounted.rend(); ++each) {
      if (each->end_ns >= truth.end_ns) truth.end_ns = std::min(truth.end_ns, each->start_ns);
    }
  }
  for (const Span& hidden : hidden_of(line, device)) hide(hidden, truth.moments);
  truth.ns = sums_of(truth.moments);
  split_launching(share_of_waits(program, line, device), truth);
  return truth;
}

}  // namespace

std::string_view to_string(Cause cause) {
  constexpr std::array<std::string_view, kCauses> kNames{
      "loading", "host_work", "synchronisation", "launching", "device", "unknown"};
  return kNames[static_cast<size_t>(cause)];
}

int64_t DeviceTruth::idle_ns() const {
  return std::accumulate(ns.begin(), ns.end(), int64_t{0});
}

int64_t DeviceTruth::wall_ns() const {
  int64_t wall = end_ns - start_ns;
  for (const Uncounted& each : uncounted) {
    wall -= std::max<int64_t>(0, std::min(end_ns, each.end_ns) - std::max(start_ns, each.start_ns));
  }
  return wall;
}

double DeviceTruth::busy_share() const {
  return 1 - static_cast<double>(idle_ns()) / static_cast<double>(wall_ns());
}

std::vector<DeviceTruth> truth_of(const Program& program, const Timeline& line, bool has_steps) {
  std::set<int> devices;
  for (const DeviceEvent& event : line.device) {
    if (is_recorded(line, event) && !event.is_lost) devices.insert(event.place.device);
  }
  std::vector<DeviceTruth> truths;
  for (const int device : devices) {
    truths.push_back(truth_of_device(program, line, device, has_steps));
  }
  return truths;
}

int64_t idle_ns(const Program& program, const Timeline& line, const World& world, int device) {
  // Streams are in order, so the work that was recorded is the last of each.
  std::map<Place, size_t> unrecorded;
  for (const DeviceEvent& event : line.device) {
    if (!is_recorded(line, event)) ++unrecorded[event.place];
  }
  Timeline other = simulate(program, world);
  std::erase_if(other.device, [&](const DeviceEvent& event) {
    size_t& left = unrecorded[event.place];
    if (left == 0) return false;
    --left;
    return true;
  });
  other.recorded_from_ns = INT64_MIN;
  return length(gaps_of(other, recorded_of(other, device)));
}

}  // namespace batchscope::trace_simulator
