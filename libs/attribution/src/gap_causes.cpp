#include "gap_causes.hpp"

#include <algorithm>

namespace batchscope::attribution {
namespace {

// What lies between two operators is Python, and part of what launching costs, unless it is longer.
constexpr int64_t kLongHostWork = 100'000;
// Between what was launched ahead a device needs some microseconds for itself.
constexpr int64_t kDispatch = 30'000;
// From the end of the call to the start of what it launched.
constexpr int64_t kLongLaunch = 100'000;

void add(std::vector<Piece>& pieces, int64_t start_ns, int64_t end_ns, Part part) {
  if (end_ns <= start_ns) return;
  if (!pieces.empty() && pieces.back().part == part && pieces.back().end_ns == start_ns) {
    pieces.back().end_ns = end_ns;
  } else {
    pieces.push_back({start_ns, end_ns, part});
  }
}

Part part_of(const HostStretch& stretch) {
  switch (stretch.state) {
    case HostState::loads:
      return Part::data_loading;
    case HostState::waits:
      return Part::synchronisation;
    case HostState::launches:
      return Part::launch;
    case HostState::works:
      return stretch.end_ns - stretch.start_ns < kLongHostWork ? Part::launch : Part::host;
    case HostState::nothing:
      break;
  }
  return Part::host;
}

// The first stretch that ends behind `at`.
std::vector<HostStretch>::const_iterator first_behind(const std::vector<HostStretch>& stretches,
                                                      int64_t at) {
  return std::upper_bound(stretches.begin(), stretches.end(), at,
                          [](int64_t time, const HostStretch& each) { return time < each.end_ns; });
}

}  // namespace

const std::vector<HostStretch>& HostTracks::states_of(uint32_t track) {
  const auto found = states_.find(track);
  if (found != states_.end()) return found->second;
  return states_.emplace(track, host_states(trace_, track, classes_, pageable_)).first->second;
}

GapCauses::GapCauses(const trace::Trace& trace, const std::vector<NameClass>& classes,
                     const Correlations& correlations, const DeviceActivity& device,
                     HostTracks& hosts)
    : trace_(trace), classes_(classes), device_(device), hosts_(hosts) {
  std::map<uint32_t, int64_t> started;  // by track
  launches_.reserve(device.rows.size());
  for (const uint32_t row : device.rows) {
    const auto launch = correlations.launch_of(row);
    launches_.push_back(launch ? static_cast<uint32_t>(*launch) : trace::kNone);
    if (launch) {
      ++started[trace.activities.track[*launch]];
    } else {
      ++orphans_;
    }
  }
  for (const auto& [track, count] : started) launchers_.push_back(track);
  std::stable_sort(launchers_.begin(), launchers_.end(),
                   [&](uint32_t a, uint32_t b) { return started[a] > started[b]; });
  constexpr size_t kMostLaunchers = 16;  // that are looked through for each gap
  if (launchers_.size() > kMostLaunchers) launchers_.resize(kMostLaunchers);
}

uint32_t GapCauses::earliest_launch(size_t next, int64_t start_ns) const {
  uint32_t earliest = trace::kNone;
  const auto& rows = trace_.activities;
  for (size_t i = next; i < launches_.size() && rows.start_ns[device_.rows[i]] == start_ns; ++i) {
    const uint32_t launch = launches_[i];
    if (launch == trace::kNone) continue;
    if (earliest == trace::kNone || rows.start_ns[launch] < rows.start_ns[earliest]) {
      earliest = launch;
    }
  }
  return earliest;
}

std::optional<uint32_t> GapCauses::thread_of(size_t next) const {
  if (next < launches_.size()) {
    const int64_t start = trace_.activities.start_ns[device_.rows[next]];
    const uint32_t launch = earliest_launch(next, start);
    if (launch != trace::kNone) return trace_.activities.track[launch];
  }
  if (launchers_.empty()) return std::nullopt;
  return launchers_.front();
}

void GapCauses::explain(Span gap, size_t next, std::vector<Piece>& pieces) {
  const auto track = thread_of(next);
  if (!track) return add(pieces, gap.start_ns, gap.end_ns, Part::unknown);
  const size_t first_piece = pieces.size();
  const auto& rows = trace_.activities;
  const uint32_t launch = next < launches_.size()
                              ? earliest_launch(next, rows.start_ns[device_.rows[next]])
                              : trace::kNone;
  int64_t launched = gap.end_ns;
  if (launch != trace::kNone) {
    launched = std::clamp(rows.start_ns[launch], gap.start_ns, gap.end_ns);
  }
  explain_by_host({gap.start_ns, launched}, *track, pieces);
  if (launch != trace::kNone) {
    explain_launch({launched, gap.end_ns}, launch, rows.start_ns[launch] < gap.start_ns, pieces);
  }
  credit_waits(gap, *track, first_piece, pieces);
}

void GapCauses::explain_by_host(Span span, uint32_t track, std::vector<Piece>& pieces) {
  if (span.start_ns >= span.end_ns) return;
  const std::vector<HostStretch>& states = hosts_.states_of(track);
  auto stretch = first_behind(states, span.start_ns);
  int64_t at = span.start_ns;
  const HostStretch* before = stretch == states.begin() ? nullptr : &*std::prev(stretch);
  while (at < span.end_ns) {
    const HostStretch* const next = stretch == states.end() ? nullptr : &*stretch;
    const int64_t hole_end = next == nullptr ? span.end_ns : std::min(next->start_ns, span.end_ns);
    if (hole_end > at) {
      explain_hole({at, hole_end}, before, next, track, pieces);
      at = hole_end;
    }
    if (next == nullptr || at >= span.end_ns) continue;
    const int64_t end = std::min(next->end_ns, span.end_ns);
    add(pieces, at, end, part_of(*next));
    at = end;
    before = next;
    ++stretch;
  }
}

// Where the thread was in nothing that was recorded.
void GapCauses::explain_hole(Span span, const HostStretch* before, const HostStretch* after,
                             uint32_t track, std::vector<Piece>& pieces) {
  const bool is_inner = before != nullptr && after != nullptr;
  if (is_inner && after->start_ns - before->end_ns < kLongHostWork) {
    return add(pieces, span.start_ns, span.end_ns, Part::launch);
  }
  if (explain_by_others(span, track, pieces)) return;
  add(pieces, span.start_ns, span.end_ns, Part::host);
}

// The backward pass runs on a thread of its own: while that one does nothing, another one is what
// everything waits for.
bool GapCauses::explain_by_others(Span span, uint32_t track, std::vector<Piece>& pieces) {
  const int64_t process = trace_.tracks[track].process;
  for (const uint32_t other : launchers_) {
    if (other == track || trace_.tracks[other].process != process) continue;
    const std::vector<HostStretch>& states = hosts_.states_of(other);
    auto stretch = first_behind(states, span.start_ns);
    if (stretch == states.end() || stretch->start_ns >= span.end_ns) continue;
    int64_t at = span.start_ns;
    for (; stretch != states.end() && stretch->start_ns < span.end_ns; ++stretch) {
      const int64_t hole = stretch->start_ns - at;
      add(pieces, at, stretch->start_ns, hole < kLongHostWork ? Part::launch : Part::host);
      const int64_t end = std::min(stretch->end_ns, span.end_ns);
      add(pieces, std::max(at, stretch->start_ns), end, part_of(*stretch));
      at = end;
    }
    const int64_t rest = span.end_ns - at;
    add(pieces, at, span.end_ns, rest < kLongHostWork ? Part::launch : Part::host);
    return true;
  }
  return false;
}

// From the start of the call, or from the start of the gap where it was called before.
void GapCauses::explain_launch(Span span, uint32_t launch, bool was_queued,
                               std::vector<Piece>& pieces) {
  const auto& rows = trace_.activities;
  const NameClass& name = classes_[rows.name[launch]];
  const int64_t returned = std::clamp(rows.end_ns(launch), span.start_ns, span.end_ns);
  const bool waits = name.waits || hosts_.waits_for_a_copy(launch);
  add(pieces, span.start_ns, returned, waits ? Part::synchronisation : Part::launch);
  const int64_t latency = span.end_ns - returned;
  if (latency <= (was_queued ? kDispatch : kLongLaunch)) {
    return add(pieces, returned, span.end_ns, Part::launch);
  }
  explain_delay({returned, span.end_ns}, trace_.track_of(launch).process, pieces);
}

// What was launched does not start: nothing of the host holds it, unless a thread waits for the
// device all the while, as for a copy that itself waits for other streams.
void GapCauses::explain_delay(Span span, int64_t process, std::vector<Piece>& pieces) {
  int64_t at = span.start_ns;
  for (const uint32_t track : launchers_) {
    if (trace_.tracks[track].process != process) continue;
    const std::vector<HostStretch>& states = hosts_.states_of(track);
    for (auto stretch = first_behind(states, at);
         stretch != states.end() && stretch->start_ns < span.end_ns; ++stretch) {
      if (stretch->state != HostState::waits) continue;
      const int64_t start = std::max(at, stretch->start_ns);
      add(pieces, at, start, Part::unknown);
      at = std::min(stretch->end_ns, span.end_ns);
      add(pieces, start, at, Part::synchronisation);
    }
    if (at > span.start_ns) break;  // one thread's waits explain it
  }
  add(pieces, at, span.end_ns, Part::unknown);
}

// A thread that waited while the device was busy could have launched meanwhile: without the wait it
// would be that much ahead. So idle time of launching counts as the wait's, up to its length.
void GapCauses::credit_waits(Span gap, uint32_t track, size_t first_piece,
                             std::vector<Piece>& pieces) {
  const std::vector<HostStretch>& states = hosts_.states_of(track);
  auto stretch = first_behind(states, gap.end_ns);
  const HostStretch* wait = nullptr;
  // The last wait before the end of the gap; one that is further back has had its gaps already.
  constexpr int kFurthest = 256;
  for (int i = 0; i < kFurthest && stretch != states.begin() && wait == nullptr; ++i) {
    --stretch;
    if (stretch->state == HostState::waits && stretch->start_ns < gap.end_ns) wait = &*stretch;
  }
  Credit& credit = credits_[track];
  if (wait != nullptr && wait->row != credit.wait) {
    const int64_t waited = std::min(wait->end_ns, gap.start_ns) - wait->start_ns;
    credit = {wait->row, std::max<int64_t>(0, waited)};
  }
  std::vector<Piece> changed;
  for (size_t i = first_piece; i < pieces.size(); ++i) {
    const Piece piece = pieces[i];
    const int64_t taken = piece.part == Part::launch && credit.left_ns > 0
                              ? std::min(credit.left_ns, piece.end_ns - piece.start_ns)
                              : 0;
    credit.left_ns -= taken;
    add(changed, piece.start_ns, piece.start_ns + taken, Part::synchronisation);
    add(changed, piece.start_ns + taken, piece.end_ns, piece.part);
  }
  pieces.resize(first_piece);
  pieces.insert(pieces.end(), changed.begin(), changed.end());
}

}  // namespace batchscope::attribution
