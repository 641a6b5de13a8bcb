#include "gap_causes.hpp"

#include <algorithm>

namespace batchscope::attribution {
namespace {

// Between what was launched ahead a device needs some microseconds for itself.
constexpr int64_t kDispatch = 30'000;
// That are looked through for each gap.
constexpr size_t kMostThreads = 8;
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

std::vector<uint32_t> launches_of(const DeviceActivity& device, const Correlations& correlations) {
  std::vector<uint32_t> launches;
  launches.reserve(device.rows.size());
  for (const uint32_t row : device.rows) {
    const auto launch = correlations.launch_of(row);
    launches.push_back(launch ? static_cast<uint32_t>(*launch) : trace::kNone);
  }
  return launches;
}

// The first stretch that ends behind `at`.
std::vector<HostStretch>::const_iterator first_behind(const std::vector<HostStretch>& stretches,
                                                      int64_t at) {
  return std::upper_bound(stretches.begin(), stretches.end(), at,
                          [](int64_t time, const HostStretch& each) { return time < each.end_ns; });
}

}  // namespace

const HostTracks::Host& HostTracks::of(uint32_t track) {
  const auto [host, is_new] = hosts_.try_emplace(track);
  if (is_new) {
    host->second.states = host_states(trace_, track, classes_, pageable_);
    host->second.long_pause_ns = long_pause_ns(host->second.states);
  }
  return host->second;
}

GapCauses::GapCauses(const trace::Trace& trace, const std::vector<NameClass>& classes,
                     const Correlations& correlations, const std::vector<DeviceActivity>& devices,
                     size_t device, HostTracks& hosts)
    : trace_(trace),
      classes_(classes),
      devices_(devices),
      device_(devices[device]),
      hosts_(hosts),
      launches_(launches_of(device_, correlations)),
      orphans_(std::count(launches_.begin(), launches_.end(), trace::kNone)),
      launchers_(launchers()),
      teams_(
          trace,
          launchers_, [&hosts](uint32_t track) -> const auto& { return hosts.states_of(track); }) {
  for (size_t i = 0; i < launches_.size(); ++i) {
    if (launches_[i] != trace::kNone) {
      first_launched_.emplace(trace.activities.track[device_.rows[i]], i);
    }
  }
  const Spans idle = between(device_.busy, INT64_MIN, INT64_MAX);
  for (size_t i = 0; i < teams_.size(); ++i) {
    std::vector<const std::vector<HostStretch>*> members;
    for (const uint32_t track : teams_.members(i)) members.push_back(&hosts.states_of(track));
    credits_.emplace_back(members, idle);
  }
}

std::vector<uint32_t> GapCauses::launchers() const {
  std::map<uint32_t, int64_t> started;
  for (const uint32_t launch : launches_) {
    if (launch != trace::kNone) ++started[trace_.activities.track[launch]];
  }
  std::vector<uint32_t> tracks;
  for (const auto& [track, count] : started) tracks.push_back(track);
  std::stable_sort(tracks.begin(), tracks.end(),
                   [&](uint32_t a, uint32_t b) { return started[a] > started[b]; });
  return tracks;
}

// The thread itself, then the others of its team.
std::vector<uint32_t> GapCauses::who_explains(uint32_t track) const {
  std::vector<uint32_t> tracks{track};
  for (const uint32_t other : teams_.members(teams_.number_of(track))) {
    if (tracks.size() == kMostThreads) break;
    if (other != track) tracks.push_back(other);
  }
  return tracks;
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

// Nothing before it in its stream has its call in the trace: it was launched before the recording
// began.
bool GapCauses::was_launched_before(size_t next) const {
  if (next >= launches_.size()) return false;
  const auto first = first_launched_.find(trace_.activities.track[device_.rows[next]]);
  return first == first_launched_.end() || next < first->second;
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

void GapCauses::add_in(uint32_t row, Span span, Part part, std::vector<Piece>& pieces) {
  add(pieces, span.start_ns, span.end_ns, part);
  const bool tells = row != trace::kNone && part != Part::launch;
  if (!is_blamed_ || !tells || span.end_ns <= span.start_ns) return;
  for (Blamed* const blamed : {&blamed_[{part, trace_.activities.name[row]}], &in_gap_[part]}) {
    blamed->ns += span.length_ns();
    blamed->gaps += blamed->last_gap == gap_ ? 0 : 1;
    blamed->last_gap = gap_;
    if (span.length_ns() <= blamed->longest_ns) continue;
    blamed->longest_ns = span.length_ns();
    blamed->row = row;
  }
}

uint32_t GapCauses::row_of(Part cause) const {
  const auto found = in_gap_.find(cause);
  return found == in_gap_.end() ? trace::kNone : found->second.row;
}

void GapCauses::explain(Span gap, size_t next, bool is_blamed, std::vector<Piece>& pieces) {
  is_blamed_ = is_blamed;
  in_gap_.clear();
  ++gap_;
  const auto track = thread_of(next);
  if (!track) return add(pieces, gap.start_ns, gap.end_ns, Part::unknown);
  const size_t first_piece = pieces.size();
  const auto& rows = trace_.activities;
  const uint32_t launch = next < launches_.size()
                              ? earliest_launch(next, rows.start_ns[device_.rows[next]])
                              : trace::kNone;
  if (launch == trace::kNone && was_launched_before(next)) {
    return explain_latency(gap, kDispatch, trace_.tracks[*track].process, pieces);
  }
  int64_t launched = gap.end_ns;
  if (launch != trace::kNone) {
    launched = std::clamp(rows.start_ns[launch], gap.start_ns, gap.end_ns);
  }
  explain_by_host({gap.start_ns, launched}, {INT64_MIN, INT64_MAX}, who_explains(*track), 0,
                  pieces);
  if (launch != trace::kNone) {
    explain_launch({launched, gap.end_ns}, launch, rows.start_ns[launch] < gap.start_ns, pieces);
  }
  // What the device needs between two things that were launched ahead no wait has to do with.
  const bool was_ahead = launch != trace::kNone && rows.end_ns(launch) <= gap.start_ns;
  if (!was_ahead) credit_waits(gap, *track, first_piece, pieces);
}

// By what the first of the tracks from `level` on did that did anything. `hole`: how long the
// tracks before it did nothing, around the span.
void GapCauses::explain_by_host(Span span, Span hole, const Tracks& tracks, size_t level,
                                std::vector<Piece>& pieces) {
  if (span.start_ns >= span.end_ns) return;
  const std::vector<HostStretch>& states = hosts_.states_of(tracks[level]);
  auto stretch = first_behind(states, span.start_ns);
  int64_t at = span.start_ns;
  while (at < span.end_ns) {
    const bool is_last = stretch == states.end();
    const int64_t next = is_last ? INT64_MAX : stretch->start_ns;
    if (next > at) {
      const int64_t before = stretch == states.begin() ? INT64_MIN : std::prev(stretch)->end_ns;
      const int64_t end = std::min(next, span.end_ns);
      explain_hole({at, end}, {std::max(before, hole.start_ns), std::min(next, hole.end_ns)},
                   tracks, level, pieces);
      at = end;
    }
    if (is_last || at >= span.end_ns) continue;
    const int64_t end = std::min(stretch->end_ns, span.end_ns);
    add_in(stretch->row, {at, end}, part_of(*stretch), pieces);
    at = end;
    ++stretch;
  }
}

// Where a thread was in nothing that was recorded. The backward pass runs on a thread of its own:
// while that one does nothing, another one is what everything waits for.
void GapCauses::explain_hole(Span span, Span hole, const Tracks& tracks, size_t level,
                             std::vector<Piece>& pieces) {
  const bool is_short = hole.start_ns != INT64_MIN && hole.end_ns != INT64_MAX &&
                        hole.end_ns - hole.start_ns < hosts_.long_pause_of(tracks[level]);
  if (is_short) return add(pieces, span.start_ns, span.end_ns, Part::launch);
  if (level + 1 < tracks.size()) return explain_by_host(span, hole, tracks, level + 1, pieces);
  add(pieces, span.start_ns, span.end_ns, Part::host);
}

// From the start of the call, or from the start of the gap where it was called before.
void GapCauses::explain_launch(Span span, uint32_t launch, bool was_queued,
                               std::vector<Piece>& pieces) {
  const auto& rows = trace_.activities;
  const NameClass& name = classes_[rows.name[launch]];
  const int64_t returned = std::clamp(rows.end_ns(launch), span.start_ns, span.end_ns);
  const bool waits = name.waits || hosts_.waits_for_a_copy(launch);
  const Part part = rows.duration_ns[launch] > kLongestLaunch ? Part::host : Part::launch;
  add_in(launch, {span.start_ns, returned}, waits ? Part::synchronisation : part, pieces);
  explain_latency({returned, span.end_ns}, was_queued ? kDispatch : kLongLaunch,
                  trace_.track_of(launch).process, pieces);
}

void GapCauses::explain_latency(Span span, int64_t usual_ns, int64_t process,
                                std::vector<Piece>& pieces) {
  if (span.length_ns() > usual_ns) return explain_delay(span, process, pieces);
  add(pieces, span.start_ns, span.end_ns, Part::launch);
}

// What was launched does not start: it waits for what another device does, or nobody knows.
void GapCauses::explain_delay(Span span, int64_t process, std::vector<Piece>& pieces) {
  Spans alone{span};  // without any other device at work
  for (const DeviceActivity& each : devices_) {
    if (each.id == device_.id) continue;
    alone = without(alone, touching(each.busy, span.start_ns, span.end_ns));
  }
  int64_t at = span.start_ns;
  for (const Span& each : alone) {
    add(pieces, at, each.start_ns, Part::unknown);
    explain_stall(each, process, pieces);
    at = each.end_ns;
  }
  add(pieces, at, span.end_ns, Part::unknown);
}

// Nothing of the host holds it, unless a thread waits for the device all the while, as for a copy
// that itself waits for other streams.
void GapCauses::explain_stall(Span span, int64_t process, std::vector<Piece>& pieces) {
  int64_t at = span.start_ns;
  for (size_t i = 0; i < std::min(launchers_.size(), kMostThreads); ++i) {
    const uint32_t track = launchers_[i];
    if (trace_.tracks[track].process != process) continue;
    const std::vector<HostStretch>& states = hosts_.states_of(track);
    for (auto stretch = first_behind(states, at);
         stretch != states.end() && stretch->start_ns < span.end_ns; ++stretch) {
      if (stretch->state != HostState::waits) continue;
      const int64_t start = std::max(at, stretch->start_ns);
      add(pieces, at, start, Part::unknown);
      at = std::min(stretch->end_ns, span.end_ns);
      add_in(stretch->row, {start, at}, Part::synchronisation, pieces);
    }
    if (at > span.start_ns) break;  // one thread's waits explain it
  }
  add(pieces, at, span.end_ns, Part::unknown);
}

void GapCauses::credit_waits(Span gap, uint32_t track, size_t first_piece,
                             std::vector<Piece>& pieces) {
  WaitCredit& credit = credits_[teams_.number_of(track)];
  credit.advance(gap.start_ns);
  std::vector<Piece> changed;
  for (size_t i = first_piece; i < pieces.size(); ++i) {
    int64_t at = pieces[i].start_ns;
    if (pieces[i].part == Part::launch) {
      for (const WaitCredit::Taken& taken : credit.take(pieces[i].end_ns - at)) {
        add_in(taken.row, {at, at + taken.ns}, Part::synchronisation, changed);
        at += taken.ns;
      }
    }
    add(changed, at, pieces[i].end_ns, pieces[i].part);
  }
  pieces.resize(first_piece);
  pieces.insert(pieces.end(), changed.begin(), changed.end());
}

}  // namespace batchscope::attribution
