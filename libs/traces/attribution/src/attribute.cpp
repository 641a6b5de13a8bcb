#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "activity/index_found.hpp"
#include "batchscope/attribution/attribution.hpp"
#include "batchscope/base/enum_names.hpp"
#include "batchscope/trace/frames.hpp"
#include "causes/gap_causes.hpp"
#include "causes/lost_work.hpp"
#include "exclusions.hpp"
#include "steps.hpp"

namespace batchscope::attribution {
namespace {

using trace::ActivityKind;

// What a gap lies in: a row, where one is known; and who explains it.
struct Explained {
  std::optional<uint32_t> track;
  uint32_t row = trace::kNone;
};

// The middle of the longest piece of the gap's cause.
int64_t telling_moment(const std::vector<Piece>& pieces, const Gap& gap) {
  auto piece = std::upper_bound(pieces.begin(), pieces.end(), gap.start_ns,
                                [](int64_t at, const Piece& each) { return at < each.end_ns; });
  Piece longest{gap.start_ns, gap.start_ns, gap.cause};
  for (; piece != pieces.end() && piece->start_ns < gap.end_ns; ++piece) {
    const bool longer = piece->end_ns - piece->start_ns > longest.end_ns - longest.start_ns;
    if (piece->part == gap.cause && longer) longest = *piece;
  }
  return longest.start_ns + (longest.end_ns - longest.start_ns) / 2;
}

// Rows of the track in which it is at that moment, the innermost first.
std::vector<size_t> open_at(const trace::Trace& trace, uint32_t track, int64_t moment) {
  const auto& starts = trace.activities.start_ns;
  const auto first = starts.begin() + static_cast<std::ptrdiff_t>(trace.first_of_track[track]);
  const auto last = starts.begin() + static_cast<std::ptrdiff_t>(trace.first_of_track[track + 1]);
  auto row = std::upper_bound(first, last, moment);
  std::vector<size_t> open;
  constexpr int kFurthest = 200'000;  // rows that are looked at
  for (int i = 0; i < kFurthest && row != first; ++i) {
    --row;
    const auto index = static_cast<size_t>(row - starts.begin());
    if (trace.activities.end_ns(index) > moment) open.push_back(index);
  }
  return open;
}

// The innermost line that somebody wrote who is asked to change it; else the innermost.
void take_source(std::string_view frame, std::string& source) {
  const bool better = trace::is_of_a_library(source) && !trace::is_of_a_library(frame);
  if (source.empty() || better) source = frame;
}

bool is_around(const trace::ActivityTable& rows, size_t outer, Span inner) {
  return rows.start_ns[outer] <= inner.start_ns && rows.end_ns(outer) >= inner.end_ns;
}

// Sets what stands around the row, which the place's time lies in.
void describe_place(const trace::Trace& trace, const std::vector<NameClass>& classes, uint32_t row,
                    IdleSite& place) {
  const trace::ActivityTable& rows = trace.activities;
  if (trace.track_of(row).on_device()) return;
  const Span span{rows.start_ns[row], rows.end_ns(row)};
  for (const size_t open : open_at(trace, rows.track[row], span.start_ns + span.length_ns() / 2)) {
    if (classes[rows.name[open]].is_recorded_step || trace.name_of(open) == place.call) continue;
    if (rows.kind[open] == ActivityKind::python) {
      take_source(trace.name_of(open), place.source);
    } else if (is_around(rows, open, span)) {
      place.inside = trace.name_of(open);
    }
  }
}

// The innermost row that the thread is in for at least half of the gap; or none.
uint32_t row_of_most(const trace::Trace& trace, const std::vector<NameClass>& classes,
                     uint32_t track, int64_t moment, const Gap& gap) {
  const trace::ActivityTable& rows = trace.activities;
  for (const size_t open : open_at(trace, track, moment)) {
    if (classes[rows.name[open]].is_recorded_step) continue;
    const int64_t from = std::max(rows.start_ns[open], gap.start_ns);
    const int64_t shared = std::min(rows.end_ns(open), gap.end_ns) - from;
    if (2 * shared >= gap.end_ns - gap.start_ns) return static_cast<uint32_t>(open);
  }
  return trace::kNone;
}

// Sets the gap's cause, and what the thread did in the longest piece of it. `pieces` are the
// device's, in order.
void describe_gap(const trace::Trace& trace, const std::vector<NameClass>& classes,
                  const Explained& explained, const std::vector<Piece>& pieces, Gap& gap) {
  gap.cause = gap.parts.largest();
  uint32_t row = explained.row;
  std::optional<uint32_t> track = explained.track;
  if (row != trace::kNone && !trace.track_of(row).on_device()) track = trace.activities.track[row];
  if (track && (gap.cause == Part::host || gap.cause == Part::launch)) {
    row = row_of_most(trace, classes, *track, telling_moment(pieces, gap), gap);
  }
  if (track) {
    gap.process = trace.tracks[*track].process;
    gap.thread = trace.tracks[*track].thread;
    gap.thread_name = trace.tracks[*track].name;
  }
  if (row == trace::kNone) return;
  IdleSite place;
  place.call = trace.name_of(row);
  describe_place(trace, classes, row, place);
  gap.call = std::move(place.call);
  gap.inside = std::move(place.inside);
  gap.source = std::move(place.source);
}

constexpr std::array<base::Name<ExclusionReason>, 5> kReasons{{
    {ExclusionReason::compilation, "compilation"},
    {ExclusionReason::capture, "capture"},
    {ExclusionReason::loading, "loading"},
    {ExclusionReason::no_work, "no_work"},
    {ExclusionReason::no_record, "no_record"},
}};

constexpr std::array<base::Name<StepSource>, 4> kStepSources{{
    {StepSource::none, "none"},
    {StepSource::recorded, "recorded"},
    {StepSource::named, "named"},
    {StepSource::inferred, "inferred"},
}};

bool starts_earlier(const Piece& a, const Piece& b) {
  return a.start_ns < b.start_ns;
}

// Into pieces that are in the order of time.
void add_busy(const Spans& spans, Part part, std::vector<Piece>& pieces) {
  const auto before = static_cast<std::ptrdiff_t>(pieces.size());
  for (const Span& span : spans) pieces.push_back({span.start_ns, span.end_ns, part});
  std::inplace_merge(pieces.begin(), pieces.begin() + before, pieces.end(), starts_earlier);
}

// What lies before, between and behind the pieces, in order, counts to these.
void add_parts(const std::vector<Piece>& pieces, Span window, TimeParts& parts) {
  auto piece = std::upper_bound(pieces.begin(), pieces.end(), window.start_ns,
                                [](int64_t at, const Piece& each) { return at < each.end_ns; });
  for (; piece != pieces.end() && piece->start_ns < window.end_ns; ++piece) {
    const int64_t start = std::max(piece->start_ns, window.start_ns);
    parts[piece->part] += std::min(piece->end_ns, window.end_ns) - start;
  }
}

// Without what of them lies in the spans.
void cut(const Spans& excluded, std::vector<Piece>& pieces) {
  if (excluded.empty()) return;
  std::vector<Piece> left;
  auto next = excluded.begin();
  for (Piece piece : pieces) {
    while (next != excluded.end() && next->end_ns <= piece.start_ns) ++next;
    for (auto each = next; each != excluded.end() && each->start_ns < piece.end_ns; ++each) {
      if (each->start_ns > piece.start_ns) {
        left.push_back({piece.start_ns, each->start_ns, piece.part});
      }
      piece.start_ns = std::max(piece.start_ns, each->end_ns);
    }
    if (piece.start_ns < piece.end_ns) left.push_back(piece);
  }
  pieces = std::move(left);
}

class DeviceAttribution {
 public:
  DeviceAttribution(const trace::Trace& trace, const std::vector<NameClass>& classes,
                    const DeviceActivity& activity, GapCauses& causes, const Spans& wall,
                    const Spans& excluded)
      : trace_(trace),
        classes_(classes),
        activity_(activity),
        causes_(causes),
        wall_(wall),
        excluded_(excluded) {}

  DeviceTime run(size_t most_gaps) {
    // Room at once: what grows holds its old half as well. What is not used costs nothing.
    pieces_.reserve(activity_.compute.size() + activity_.memcpy.size() +
                    activity_.communication.size() + 2 * activity_.busy.size() + 2);
    inner_gaps_.reserve(activity_.busy.size() + 1);
    explain_gaps();
    if (!std::is_sorted(pieces_.begin(), pieces_.end(), starts_earlier)) {
      std::sort(pieces_.begin(), pieces_.end(), starts_earlier);
    }
    add_busy(activity_.compute, Part::compute, pieces_);
    add_busy(activity_.memcpy, Part::memcpy, pieces_);
    add_busy(activity_.communication, Part::communication, pieces_);
    DeviceTime device;
    device.id = activity_.id;
    device.start_ns = wall_.front().start_ns;
    device.end_ns = wall_.back().end_ns;
    cut(excluded_, pieces_);
    add_parts(pieces_, {device.start_ns, device.end_ns}, device.parts);
    device.activities = static_cast<int64_t>(activity_.rows.size());
    device.orphans = causes_.orphans();
    device.hidden_ns = causes_.hidden_ns();
    device.gaps = gaps_;
    describe_largest(most_gaps, device);
    device.places = places();
    device.pieces = std::move(pieces_);
    return device;
  }

 private:
  void explain_gaps() {
    const int64_t start = std::min(wall_.front().start_ns, activity_.start_ns());
    const int64_t end = std::max(wall_.back().end_ns, activity_.end_ns());
    size_t next = 0;
    const auto& starts = trace_.activities.start_ns;
    for (const Span& gap : between(activity_.busy, start, end)) {
      while (next < activity_.rows.size() && starts[activity_.rows[next]] < gap.end_ns) ++next;
      const size_t first_piece = pieces_.size();
      causes_.explain(gap, next, pieces_);
      for_each_within(wall_, gap, [&](Span inner) {
        ++gaps_;
        inner_gaps_.push_back({inner, next, causes_.places().row_of(largest_of(first_piece))});
      });
    }
  }

  void describe_largest(size_t most, DeviceTime& device) {
    const size_t kept = std::min(most, inner_gaps_.size());
    std::partial_sort(inner_gaps_.begin(), inner_gaps_.begin() + static_cast<std::ptrdiff_t>(kept),
                      inner_gaps_.end(), [](const Inner& a, const Inner& b) {
                        const int64_t first = a.span.length_ns();
                        const int64_t second = b.span.length_ns();
                        return first != second ? first > second : a.span.start_ns < b.span.start_ns;
                      });
    for (size_t i = 0; i < kept; ++i) {
      const auto& [span, next, row] = inner_gaps_[i];
      Gap gap;
      gap.start_ns = span.start_ns;
      gap.end_ns = span.end_ns;
      add_parts(pieces_, span, gap.parts);
      describe_gap(trace_, classes_, {causes_.thread_of(next), row}, pieces_, gap);
      device.largest_gaps.push_back(std::move(gap));
    }
  }

  // The largest first, some of each cause.
  std::vector<IdleSite> places() const {
    std::vector<IdleSite> places;
    if (const auto around = causes_.places().around_host_work()) {
      places.push_back(place_of(Part::host, *around));
      places.back().holds_others = true;
    }
    const bool has_around = !places.empty();
    for (const auto& [key, each] : causes_.places().all()) {
      IdleSite place = place_of(key.first, each);
      const bool is_reported =
          has_around && key.first == Part::host && place.call == places[0].call;
      if (!is_reported) places.push_back(std::move(place));
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const IdleSite& a, const IdleSite& b) { return a.ns > b.ns; });
    std::map<Part, int> kept;
    constexpr int kMostPlaces = 5;
    std::erase_if(places, [&](const IdleSite& each) { return ++kept[each.cause] > kMostPlaces; });
    return places;
  }

  IdleSite place_of(Part cause, const IdleSites::IdleSite& found) const {
    IdleSite place{cause, "", found.ns, found.gaps, found.calls, {}, {}};
    if (found.row == trace::kNone) return place;
    place.call = trace_.name_of(found.row);
    describe_place(trace_, classes_, found.row, place);
    return place;
  }

  // Of the pieces from there on.
  Part largest_of(size_t first_piece) const {
    TimeParts parts;
    for (size_t i = first_piece; i < pieces_.size(); ++i) {
      parts[pieces_[i].part] += pieces_[i].end_ns - pieces_[i].start_ns;
    }
    return parts.largest();
  }

  struct Inner {
    Span span;
    size_t next = 0;
    uint32_t row = trace::kNone;  // of the host, which it lies in
  };

  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  const DeviceActivity& activity_;
  GapCauses& causes_;
  const Spans& wall_;
  const Spans& excluded_;
  std::vector<Piece> pieces_;
  std::vector<Inner> inner_gaps_;
  int64_t gaps_ = 0;
};

}  // namespace

std::string_view to_string(ExclusionReason reason) {
  return base::name_of(kReasons, reason);
}

std::string_view to_string(StepSource source) {
  return base::name_of(kStepSources, source);
}

Spans times_of(const DeviceTime& device, bool (*wanted)(Part)) {
  Spans times;
  for (const Piece& piece : device.pieces) {
    if (wanted(piece.part)) times.push_back({piece.start_ns, piece.end_ns});
  }
  return united(std::move(times));
}

Attribution attribute(const trace::Trace& trace, const AttributionOptions& options) {
  return attribute(TraceIndex(trace), options);
}

std::optional<size_t> Attribution::median_step() const {
  if (steps.empty()) return std::nullopt;
  std::vector<size_t> order(steps.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>((order.size() - 1) / 2);
  std::nth_element(order.begin(), middle, order.end(), [&](size_t a, size_t b) {
    return std::pair(steps[a].wall_ns(), a) < std::pair(steps[b].wall_ns(), b);
  });
  return *middle;
}

namespace {

// At most kMostSteps; returns how many more there are.
int64_t limit(StepRanges& steps) {
  if (steps.steps.size() <= kMostSteps) return 0;
  const auto more = static_cast<int64_t>(steps.steps.size() - kMostSteps);
  steps.steps.resize(kMostSteps);
  steps.range_ends.resize(std::min(steps.range_ends.size(), kMostSteps));
  return more;
}

// `steps`: from the first recorded one to the last, whether they count or not.
Spans wall_of(const Attribution& attribution, Span steps, const Spans& excluded,
              const DeviceActivity& activity) {
  if (!attribution.covers_steps()) return {{activity.start_ns(), activity.end_ns()}};
  return without({{steps.start_ns, std::max(steps.end_ns, activity.end_ns())}}, excluded);
}

}  // namespace

Attribution attribute(const TraceIndex& index, const AttributionOptions& options) {
  const trace::Trace& trace = index.trace();
  const auto& [classes, correlations] = index.found();
  HostTracks hosts(trace, classes, correlations);
  Attribution result;
  StepRanges steps = find_steps(trace, classes, options.step_prefix);
  result.step_source = steps.source;
  result.steps_left_out = limit(steps);
  const ActivityByDevice active = activity_by_device(trace, classes, correlations, kMostDevices);
  result.devices_left_out = active.left_out;
  const LostWork lost = lost_work(trace, classes, correlations, active);
  result.lost = lost.counts;
  const Span all =
      steps.steps.empty() ? Span{} : Span{steps.steps.front().start_ns, steps.steps.back().end_ns};
  result.exclusions = exclude({trace, classes, correlations, active}, steps);
  result.steps = std::move(steps.steps);
  Spans excluded;
  for (const ExcludedInterval& each : result.exclusions)
    excluded.push_back({each.start_ns, each.end_ns});
  for (size_t i = 0; i < active.devices.size(); ++i) {
    const DeviceActivity& activity = active.devices[i];
    const Spans wall = wall_of(result, all, excluded, activity);
    GapCauses causes(trace, classes, correlations, active.devices, i, lost.hidden[i], hosts, wall);
    DeviceAttribution device(trace, classes, activity, causes, wall, excluded);
    result.devices.push_back(device.run(options.most_gaps));
    for (Step& step : result.steps) {
      TimeParts& parts = step.devices.emplace_back();
      add_parts(result.devices.back().pieces, {step.start_ns, step.end_ns}, parts);
    }
  }
  return result;
}

}  // namespace batchscope::attribution
