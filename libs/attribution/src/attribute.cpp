#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "activity/index_found.hpp"
#include "batchscope/attribution/attribution.hpp"
#include "batchscope/base/enum_names.hpp"
#include "batchscope/trace/frames.hpp"
#include "causes/gap_causes.hpp"
#include "steps.hpp"

namespace batchscope::attribution {
namespace {

using trace::ActivityKind;

// What a gap lies in: a row of the host, where one is known; and who explains it.
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

// Sets what stands around the row, which the place's time lies in.
void describe_place(const trace::Trace& trace, const std::vector<NameClass>& classes, uint32_t row,
                    Place& place) {
  const trace::ActivityTable& rows = trace.activities;
  const int64_t moment = rows.start_ns[row] + rows.duration_ns[row] / 2;
  for (const size_t open : open_at(trace, rows.track[row], moment)) {
    if (classes[rows.name[open]].is_recorded_step) continue;
    if (rows.kind[open] == ActivityKind::python) {
      take_source(trace.name_of(open), place.source);
    } else if (trace.name_of(open) != place.call && rows.start_ns[open] <= rows.start_ns[row] &&
               rows.end_ns(open) >= rows.end_ns(row)) {
      place.inside = trace.name_of(open);
    }
  }
}

// Sets the gap's cause, and what the thread did in the longest piece of it. `pieces` are the
// device's, in order.
void describe_gap(const trace::Trace& trace, const std::vector<NameClass>& classes,
                  const Explained& explained, const std::vector<Piece>& pieces, Gap& gap) {
  gap.cause = gap.parts.largest();
  const bool lies_in_a_row = explained.row != trace::kNone;
  const std::optional<uint32_t> track =
      lies_in_a_row ? trace.activities.track[explained.row] : explained.track;
  if (!track) return;
  gap.process = trace.tracks[*track].process;
  gap.thread = trace.tracks[*track].thread;
  gap.thread_name = trace.tracks[*track].name;
  if (lies_in_a_row) {
    Place place;
    place.call = trace.name_of(explained.row);
    describe_place(trace, classes, explained.row, place);
    gap.call = std::move(place.call);
    gap.inside = std::move(place.inside);
    gap.source = std::move(place.source);
    return;
  }
  for (const size_t row : open_at(trace, *track, telling_moment(pieces, gap))) {
    if (classes[trace.activities.name[row]].is_recorded_step) continue;
    if (trace.activities.kind[row] == ActivityKind::python) {
      take_source(trace.name_of(row), gap.source);
    } else if (gap.call.empty()) {
      gap.call = trace.name_of(row);
    } else {
      gap.inside = trace.name_of(row);
    }
  }
}

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

class DeviceAttribution {
 public:
  DeviceAttribution(const trace::Trace& trace, const std::vector<NameClass>& classes,
                    const DeviceActivity& activity, GapCauses& causes, Span window)
      : trace_(trace), classes_(classes), activity_(activity), causes_(causes), window_(window) {}

  DeviceTime run(size_t most_gaps) {
    explain_gaps();
    if (!std::is_sorted(pieces_.begin(), pieces_.end(), starts_earlier)) {
      std::sort(pieces_.begin(), pieces_.end(), starts_earlier);
    }
    add_busy(activity_.compute, Part::compute, pieces_);
    add_busy(activity_.memcpy, Part::memcpy, pieces_);
    add_busy(activity_.communication, Part::communication, pieces_);
    DeviceTime device;
    device.id = activity_.id;
    device.start_ns = activity_.start_ns();
    device.end_ns = activity_.end_ns();
    add_parts(pieces_, {device.start_ns, device.end_ns}, device.parts);
    device.activities = static_cast<int64_t>(activity_.rows.size());
    device.orphans = causes_.orphans();
    device.gaps = gaps_;
    describe_largest(most_gaps, device);
    device.places = places();
    device.pieces = std::move(pieces_);
    return device;
  }

 private:
  void explain_gaps() {
    const int64_t start = std::min(window_.start_ns, activity_.start_ns());
    const int64_t end = std::max(window_.end_ns, activity_.end_ns());
    size_t next = 0;
    const auto& starts = trace_.activities.start_ns;
    for (const Span& gap : between(activity_.busy, start, end)) {
      while (next < activity_.rows.size() && starts[activity_.rows[next]] < gap.end_ns) ++next;
      const bool inner = gap.start_ns >= activity_.start_ns() && gap.end_ns <= activity_.end_ns();
      const size_t first_piece = pieces_.size();
      causes_.explain(gap, next, inner, pieces_);
      if (!inner) continue;
      ++gaps_;
      inner_gaps_.push_back({gap, next, causes_.row_of(largest_of(first_piece))});
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
  std::vector<Place> places() const {
    std::vector<Place> places;
    for (const auto& [key, blamed] : causes_.blamed()) {
      Place place{key.first, trace_.names[key.second], blamed.ns, blamed.gaps, {}, {}};
      describe_place(trace_, classes_, blamed.row, place);
      places.push_back(std::move(place));
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.ns > b.ns; });
    std::map<Part, int> kept;
    constexpr int kMostPlaces = 5;
    std::erase_if(places, [&](const Place& each) { return ++kept[each.cause] > kMostPlaces; });
    return places;
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
  Span window_;
  std::vector<Piece> pieces_;
  std::vector<Inner> inner_gaps_;
  int64_t gaps_ = 0;
};

}  // namespace

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

Attribution attribute(const TraceIndex& index, const AttributionOptions& options) {
  const trace::Trace& trace = index.trace();
  const auto& [classes, correlations] = index.found();
  HostTracks hosts(trace, classes, correlations);
  StepRanges steps = find_steps(trace, classes, options.step_prefix);
  Attribution result;
  result.steps = std::move(steps.steps);
  result.step_source = steps.source;
  if (result.steps.size() > kMostSteps) {
    result.steps_left_out = static_cast<int64_t>(result.steps.size() - kMostSteps);
    result.steps.resize(kMostSteps);
  }
  const ActivityByDevice active = activity_by_device(trace, classes, kMostDevices);
  result.devices_left_out = active.left_out;
  for (size_t i = 0; i < active.devices.size(); ++i) {
    const DeviceActivity& activity = active.devices[i];
    GapCauses causes(trace, classes, correlations, active.devices, i, hosts);
    Span window{activity.start_ns(), activity.end_ns()};
    if (!result.steps.empty()) {
      window = {result.steps.front().start_ns, result.steps.back().end_ns};
    }
    DeviceAttribution device(trace, classes, activity, causes, window);
    result.devices.push_back(device.run(options.most_gaps));
    for (Step& step : result.steps) {
      TimeParts& parts = step.devices.emplace_back();
      add_parts(result.devices.back().pieces, {step.start_ns, step.end_ns}, parts);
    }
  }
  return result;
}

}  // namespace batchscope::attribution
