#include "truth.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

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
std::vector<size_t> recorded_of(const Timeline& line, int device) {
  std::vector<size_t> events;
  for (size_t i = 0; i < line.device.size(); ++i) {
    const DeviceEvent& event = line.device[i];
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
    work(gap.ended_by, gap.span.end_ns);
    std::reverse(pieces_.begin() + static_cast<std::ptrdiff_t>(first), pieces_.end());
  }

 private:
  // What kept this work from starting before `to`.
  void work(size_t index, int64_t to) {
    while (to > from_) {
      const DeviceEvent& event = line_.device[index];
      to = add(event.start_ns - event.held_ns, to, Cause::unknown);
      if (event.after == kNothing) {
        to =
            add(event.called_ns, to, event.call_blocks ? Cause::synchronisation : Cause::launching);
        return thread(event.thread, from_, to);
      }
      const DeviceEvent& before = line_.device[event.after];
      to = add(before.end_ns, to, Cause::launching, true);
      to = add(before.start_ns, to, Cause::unknown);
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
  int64_t add(int64_t start, int64_t to, Cause cause, bool was_ahead = false) {
    start = std::max(start, from_);
    if (start >= to) return to;
    pieces_.push_back({start, to, cause, was_ahead});
    return start;
  }

  const Timeline& line_;
  std::vector<IdlePiece>& pieces_;
  int64_t from_ = 0;
};

int64_t& of(CauseTimes& times, Cause cause) {
  return times[static_cast<size_t>(cause)];
}

void split_launching(const Program& program, const Timeline& line, DeviceTruth& truth) {
  World no_waits;
  no_waits.calls_wait = false;
  const int64_t gone = truth.idle_ns() - idle_ns(program, line, no_waits, truth.device);
  int64_t& waits = of(truth.ns, Cause::synchronisation);
  int64_t& launching = of(truth.ns, Cause::launching);
  int64_t by_host = launching;
  for (const IdlePiece& each : truth.moments) {
    if (each.was_ahead) by_host -= each.end_ns - each.start_ns;
  }
  const int64_t moved = std::clamp<int64_t>(gone - waits, 0, by_host);
  waits += moved;
  launching -= moved;
}

}  // namespace

std::string_view to_string(Cause cause) {
  constexpr std::array<std::string_view, kCauses> kNames{"loading", "host_work", "synchronisation",
                                                         "launching", "unknown"};
  return kNames[static_cast<size_t>(cause)];
}

int64_t DeviceTruth::idle_ns() const {
  return std::accumulate(ns.begin(), ns.end(), int64_t{0});
}

double DeviceTruth::busy_share() const {
  return 1 - static_cast<double>(idle_ns()) / static_cast<double>(end_ns - start_ns);
}

std::vector<DeviceTruth> truth_of(const Program& program, const Timeline& line) {
  std::set<int> devices;
  for (const DeviceEvent& event : line.device) {
    if (is_recorded(line, event)) devices.insert(event.place.device);
  }
  std::vector<DeviceTruth> truths;
  for (const int device : devices) {
    const std::vector<size_t> events = recorded_of(line, device);
    DeviceTruth& truth = truths.emplace_back();
    truth.device = device;
    truth.start_ns = line.device[events.front()].start_ns;
    for (const size_t i : events) truth.end_ns = std::max(truth.end_ns, line.device[i].end_ns);
    Blame blame(line, truth.moments);
    for (const Gap& gap : gaps_of(line, events)) blame.explain(gap);
    for (const IdlePiece& each : truth.moments) {
      of(truth.ns, each.cause) += each.end_ns - each.start_ns;
    }
    split_launching(program, line, truth);
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
