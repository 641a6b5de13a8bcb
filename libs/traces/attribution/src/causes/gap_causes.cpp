#include "gap_causes.hpp"

#include <algorithm>

namespace batchscope::attribution {
namespace {

// That are looked through for each gap.
constexpr size_t kMostThreads = 8;
// From the end of the call to the start of what it launched.
constexpr int64_t kLongLaunch = 100'000;
// What starts within twice the usual time after its call, and this, was not held back.
constexpr int64_t kJitter = 3'000;
constexpr int64_t kMostUsualLatency = 15'000;

void add(std::vector<Piece>& pieces, int64_t start_ns, int64_t end_ns, Part part) {
  if (end_ns <= start_ns) return;
  if (!pieces.empty() && pieces.back().part == part && pieces.back().end_ns == start_ns) {
    pieces.back().end_ns = end_ns;
  } else {
    pieces.push_back({start_ns, end_ns, part});
  }
}

Part part_of(const HostSpan& host_span) {
  switch (host_span.state) {
    case HostState::loads:
      return Part::data_loading;
    case HostState::waits:
      return Part::synchronisation;
    case HostState::launches:
      return Part::launch;
    case HostState::works:
      return host_span.end_ns - host_span.start_ns < kLongHostWork ? Part::launch : Part::host;
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
std::vector<HostSpan>::const_iterator first_behind(const std::vector<HostSpan>& spans, int64_t at) {
  return std::upper_bound(spans.begin(), spans.end(), at,
                          [](int64_t time, const HostSpan& each) { return time < each.end_ns; });
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
                     size_t device, const std::vector<HiddenSpan>& hidden, HostTracks& hosts,
                     const Spans& wall)
    : trace_(trace),
      classes_(classes),
      devices_(devices),
      device_(devices[device]),
      hidden_(hidden),
      hosts_(hosts),
      wall_(wall),
      launches_(launches_of(device_, correlations)),
      orphans_(std::count(launches_.begin(), launches_.end(), trace::kNone)),
      launchers_(launchers()),
      teams_(
          trace,
          launchers_, [&hosts](uint32_t track) -> const auto& { return hosts.states_of(track); }),
      continues_(launches_.size()),
      places_(trace, classes, wall) {
  std::vector<bool> started(trace.activities.size());
  for (size_t i = 0; i < launches_.size(); ++i) {
    if (launches_[i] == trace::kNone) continue;
    continues_[i] = started[launches_[i]];
    started[launches_[i]] = true;
  }
  for (size_t i = 0; i < launches_.size(); ++i) {
    if (launches_[i] != trace::kNone) {
      first_launched_.emplace(trace.activities.track[device_.rows[i]], i);
    }
  }
  usual_ns_ = usual_latency();
  late_ns_ = 2 * usual_ns_ + kJitter;
  const Spans idle = between(device_.busy, INT64_MIN, INT64_MAX);
  for (size_t i = 0; i < teams_.size(); ++i) {
    std::vector<const std::vector<HostSpan>*> members;
    for (const uint32_t track : teams_.members(i)) members.push_back(&hosts.states_of(track));
    credits_.emplace_back(members, idle);
  }
}

// From the end of a call to the start of its work, where nothing holds that: few start sooner.
int64_t GapCauses::usual_latency() const {
  std::vector<int64_t> latencies;
  const auto& rows = trace_.activities;
  for (size_t i = 0; i < launches_.size(); ++i) {
    if (launches_[i] == trace::kNone) continue;
    const int64_t latency = rows.start_ns[device_.rows[i]] - rows.end_ns(launches_[i]);
    const bool returns_at_once = latency > -kJitter;  // as a copy that blocks does not
    if (returns_at_once) latencies.push_back(latency);
  }
  if (latencies.empty()) return 0;
  const auto low = latencies.begin() + static_cast<std::ptrdiff_t>(latencies.size() / 50);
  std::nth_element(latencies.begin(), low, latencies.end());
  return std::clamp<int64_t>(*low, 0, kMostUsualLatency);
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

// Nothing before it in its stream has its call in the trace, and what comes later does: it was
// launched before the recording began. Of a stream without any call the whole device tells.
bool GapCauses::was_launched_before(size_t next) const {
  if (next >= launches_.size() || first_launched_.empty()) return false;
  const auto in_stream = first_launched_.find(trace_.activities.track[device_.rows[next]]);
  if (in_stream != first_launched_.end()) return next < in_stream->second;
  return std::ranges::all_of(first_launched_,
                             [&](const auto& first) { return next < first.second; });
}

// Whether what follows in its stream, whose call is in the trace, was launched before the gap.
bool GapCauses::was_queued(Span gap, size_t next) const {
  const auto& rows = trace_.activities;
  constexpr size_t kFurthest = 100;
  const size_t last = std::min(launches_.size(), next + kFurthest);
  for (size_t i = next; i < last; ++i) {
    if (rows.track[device_.rows[i]] != rows.track[device_.rows[next]]) continue;
    if (launches_[i] != trace::kNone) return rows.start_ns[launches_[i]] < gap.start_ns;
  }
  return false;
}

// Whether it was launched before the gap and waited on the device. What starts as soon as it can
// after its call did not wait.
bool GapCauses::is_held(Span gap, size_t next, uint32_t launch) const {
  const auto& rows = trace_.activities;
  if (rows.start_ns[launch] >= gap.start_ns) return false;
  const int64_t returned = rows.end_ns(launch);
  const bool was_ready = returned + usual_ns_ <= gap.start_ns;
  return was_ready || returned + late_ns_ < gap.end_ns || continues_[next];
}

std::optional<uint32_t> GapCauses::thread_of(size_t next) const {
  if (next < launches_.size()) {
    const int64_t start = trace_.activities.start_ns[device_.rows[next]];
    const uint32_t launch = earliest_launch(next, start);
    if (launch != trace::kNone) return trace_.activities.track[launch];
  }
  if (launchers_.empty()) return std::nullopt;
  const auto last = std::find_if(launches_.rbegin(), launches_.rend(),
                                 [](uint32_t launch) { return launch != trace::kNone; });
  return next < launches_.size() ? launchers_.front() : trace_.activities.track[*last];
}

void GapCauses::tell(Span span, Part part, uint32_t row, uint32_t track) {
  if (span.end_ns > span.start_ns) reported_.push_back({span, part, row, track});
}

void GapCauses::explain(Span gap, size_t next, std::vector<Piece>& pieces) {
  reported_.clear();
  const uint32_t launch =
      next < launches_.size()
          ? earliest_launch(next, trace_.activities.start_ns[device_.rows[next]])
          : trace::kNone;
  const auto track = thread_of(next);
  if (!track) {
    tell(gap, Part::unknown);
  } else if (launch == trace::kNone) {
    explain_orphan(gap, next, *track);
  } else {
    explain_launched(gap, next, launch);
  }
  hide_lost(gap);
  places_.add_gap(reported_);
  for (const CausedPiece& each : reported_)
    add(pieces, each.span.start_ns, each.span.end_ns, each.part);
}

// The first of the hidden spans that ends behind the start of the gap.
std::vector<HiddenSpan>::const_iterator GapCauses::hidden_from(Span gap) const {
  return std::partition_point(hidden_.begin(), hidden_.end(), [&](const HiddenSpan& each) {
    return each.span.end_ns <= gap.start_ns;
  });
}

bool GapCauses::may_hide_work(Span gap) const {
  const auto hidden = hidden_from(gap);
  return hidden != hidden_.end() && hidden->span.start_ns < gap.end_ns;
}

// Since when another device was at work in that span; its end where none was.
int64_t GapCauses::others_busy_since(Span span) const {
  int64_t since = span.end_ns;
  for (const DeviceActivity& each : devices_) {
    if (each.id == device_.id) continue;
    const Spans busy = touching(each.busy, span.start_ns, span.end_ns);
    if (!busy.empty()) since = std::min(since, busy.front().start_ns);
  }
  return since;
}

void GapCauses::explain_launched(Span gap, size_t next, uint32_t launch) {
  const auto& rows = trace_.activities;
  const uint32_t track = rows.track[launch];
  // Before all that was recorded the device may have done what was not.
  const int64_t returned = std::min(rows.end_ns(launch), gap.end_ns);
  const bool begins_late = next == 0 && gap.end_ns - returned > kLongLaunch;
  const int64_t others_since = others_busy_since({returned, gap.end_ns});
  const bool others_are_busy = others_since < gap.end_ns;
  if (begins_late && !may_hide_work(gap) && !others_are_busy) {
    return tell(gap, Part::unknown, launch);
  }
  if (is_held(gap, next, launch)) {
    return tell(gap, Part::device, continues_[next] ? launch : device_.rows[next]);
  }
  // Launched earlier it would have waited for another device all the same.
  const bool waits_for_others = others_are_busy && gap.end_ns - returned > late_ns_;
  const int64_t end = waits_for_others ? std::max(gap.start_ns, others_since) : gap.end_ns;
  const int64_t launched = std::clamp(rows.start_ns[launch], gap.start_ns, end);
  explain_by_host({gap.start_ns, launched}, {INT64_MIN, INT64_MAX}, who_explains(track), 0);
  explain_launch({launched, end}, next, launch);
  tell({end, gap.end_ns}, Part::device, device_.rows[next]);
  credit_waits(gap, track);
}

// What ends the gap, if anything, has no call in the trace.
void GapCauses::explain_orphan(Span gap, size_t next, uint32_t track) {
  const bool before = was_launched_before(next);
  if (before && next == 0) return tell(gap, Part::unknown, device_.rows[next]);
  if (before || (next < launches_.size() && was_queued(gap, next))) {
    return tell(gap, Part::device, device_.rows[next]);
  }
  explain_by_host(gap, {INT64_MIN, INT64_MAX}, who_explains(track), 0);
  // Where no work follows, launching earlier would have ended nothing.
  if (next < launches_.size()) credit_waits(gap, track);
}

// By what the first of the tracks from `level` on did that did anything. `hole`: how long the
// tracks before it did nothing, around the span.
void GapCauses::explain_by_host(Span span, Span hole, const Tracks& tracks, size_t level) {
  if (span.start_ns >= span.end_ns) return;
  const std::vector<HostSpan>& states = hosts_.states_of(tracks[level]);
  auto host_span = first_behind(states, span.start_ns);
  int64_t at = span.start_ns;
  while (at < span.end_ns) {
    const bool is_last = host_span == states.end();
    const int64_t next = is_last ? INT64_MAX : host_span->start_ns;
    if (next > at) {
      const int64_t before = host_span == states.begin() ? INT64_MIN : std::prev(host_span)->end_ns;
      const int64_t end = std::min(next, span.end_ns);
      const bool amid_work = host_span != states.begin() && !is_last &&
                             part_of(*std::prev(host_span)) == Part::host &&
                             part_of(*host_span) == Part::host;
      if (amid_work) {
        tell({at, end}, Part::host, trace::kNone, tracks[level]);
      } else {
        explain_hole({at, end}, {std::max(before, hole.start_ns), std::min(next, hole.end_ns)},
                     tracks, level);
      }
      at = end;
    }
    if (is_last || at >= span.end_ns) continue;
    const int64_t end = std::min(host_span->end_ns, span.end_ns);
    tell({at, end}, part_of(*host_span), host_span->row, tracks[level]);
    at = end;
    ++host_span;
  }
}

// Where a thread was in nothing that was recorded. The backward pass runs on a thread of its own:
// while that one does nothing, another one is what everything waits for.
void GapCauses::explain_hole(Span span, Span hole, const Tracks& tracks, size_t level) {
  const bool is_short = hole.start_ns != INT64_MIN && hole.end_ns != INT64_MAX &&
                        hole.end_ns - hole.start_ns < hosts_.long_pause_of(tracks[level]);
  if (is_short) return tell(span, Part::launch);
  if (level + 1 < tracks.size()) return explain_by_host(span, hole, tracks, level + 1);
  tell(span, Part::host, trace::kNone, tracks.front());
}

// From the start of the call, or from the start of the gap where it was called before, until what
// it launched starts. Where that takes long, the device holds it.
void GapCauses::explain_launch(Span span, size_t next, uint32_t launch) {
  const auto& rows = trace_.activities;
  const NameClass& name = classes_[rows.name[launch]];
  const int64_t returned = std::clamp(rows.end_ns(launch), span.start_ns, span.end_ns);
  const bool waits = name.waits || hosts_.waits_for_a_copy(launch);
  const Part part = rows.duration_ns[launch] > kLongestLaunch ? Part::host : Part::launch;
  tell({span.start_ns, returned}, waits ? Part::synchronisation : part, launch, rows.track[launch]);
  const bool is_long = span.end_ns - returned > kLongLaunch;
  tell({returned, span.end_ns}, is_long ? Part::device : Part::launch, device_.rows[next]);
}

// Waits of before that kept the thread from launching ahead.
void GapCauses::credit_waits(Span gap, uint32_t track) {
  OverlapBudget& credit = credits_[teams_.number_of(track)];
  credit.advance(gap.start_ns);
  std::vector<CausedPiece> changed;
  for (CausedPiece each : reported_) {
    if (each.part == Part::launch) {
      for (const OverlapBudget::Taken& taken : credit.take(each.span.length_ns())) {
        const int64_t end = each.span.start_ns + taken.ns;
        changed.push_back({{each.span.start_ns, end}, Part::synchronisation, taken.row, track});
        each.span.start_ns = end;
      }
    }
    if (each.span.end_ns > each.span.start_ns) changed.push_back(each);
  }
  reported_ = std::move(changed);
}

// Where lost work may have run nothing is known.
void GapCauses::hide_lost(Span gap) {
  if (!may_hide_work(gap)) return;
  auto hidden = hidden_from(gap);
  std::vector<CausedPiece> changed;
  for (CausedPiece each : reported_) {
    while (hidden != hidden_.end() && hidden->span.end_ns <= each.span.start_ns) ++hidden;
    for (auto over = hidden; over != hidden_.end() && over->span.start_ns < each.span.end_ns;
         ++over) {
      const int64_t start = std::max(each.span.start_ns, over->span.start_ns);
      const int64_t end = std::min(each.span.end_ns, over->span.end_ns);
      if (start > each.span.start_ns) {
        changed.push_back({{each.span.start_ns, start}, each.part, each.row, each.track});
      }
      changed.push_back({{start, end}, Part::unknown, over->launch, trace::kNone});
      for_each_within(wall_, {start, end}, [&](Span span) { hidden_ns_ += span.length_ns(); });
      each.span.start_ns = end;
    }
    if (each.span.end_ns > each.span.start_ns) changed.push_back(each);
  }
  reported_ = std::move(changed);
}

}  // namespace batchscope::attribution
