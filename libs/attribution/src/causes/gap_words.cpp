#include "gap_words.hpp"

#include <algorithm>

#include "batchscope/trace/frames.hpp"

namespace batchscope::attribution {
namespace {

using trace::ActivityKind;

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

}  // namespace

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

}  // namespace batchscope::attribution
