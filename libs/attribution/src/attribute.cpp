#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "activity/index_found.hpp"
#include "batchscope/attribution/attribution.hpp"
#include "batchscope/base/enum_names.hpp"
#include "causes/gap_causes.hpp"
#include "causes/gap_words.hpp"
#include "steps.hpp"

namespace batchscope::attribution {
namespace {

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
