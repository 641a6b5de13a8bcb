#include "table_builder.hpp"

#include <algorithm>
#include <utility>

#include "sorting.hpp"

namespace batchscope::trace {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

// Tracks of the host come first.
TableBuilder::TrackKey TableBuilder::key_of(const Track& track) {
  return {track.on_device(), track.process, track.device, track.stream, track.thread};
}

uint32_t TableBuilder::track_number(const Track& track) {
  const auto [place, is_new] =
      track_numbers_.try_emplace(key_of(track), static_cast<uint32_t>(tracks_.size()));
  if (is_new) tracks_.push_back(track);
  return place->second;
}

void TableBuilder::extend(Numbering& numbering) {
  const auto& texts = numbering.names.texts();
  std::vector<uint32_t>& names = numbering.names_in_table;
  std::vector<uint32_t>& tracks = numbering.tracks_in_table;
  if (names.size() == texts.size() && tracks.size() == numbering.tracks.size()) return;
  std::vector<std::string> cleaned;
  for (size_t i = names.size(); i < texts.size(); ++i) cleaned.push_back(clean_name_(texts[i]));
  const std::lock_guard lock(numbers_);
  for (const std::string& name : cleaned) names.push_back(names_.number_of(name));
  for (size_t i = tracks.size(); i < numbering.tracks.size(); ++i) {
    tracks.push_back(track_number(numbering.tracks[i]));
  }
}

void TableBuilder::renumber(Numbering& numbering, Chunk& chunk) {
  extend(numbering);
  const std::vector<uint32_t>& names = numbering.names_in_table;
  const std::vector<uint32_t>& tracks = numbering.tracks_in_table;
  ActivityTable& rows = chunk.activities;
  for (uint32_t& name : rows.name) name = names[name];
  for (uint32_t& track : rows.track) track = tracks[track];
  for (size_t i = 0; i < rows.size(); ++i) {
    uint32_t& detail = rows.detail[i];
    if (rows.kind[i] == ActivityKind::op && detail != kNone) detail = names[detail];
  }
  for (Half& half : chunk.halves) {
    if (!half.is_begin) continue;
    half.activity.name = names[half.activity.name];
    half.activity.track = tracks[half.activity.track];
    uint32_t& detail = half.activity.detail;
    if (half.activity.kind == ActivityKind::op && detail != kNone) detail = names[detail];
  }
}

// Details of launches and copies count in the chunk.
void TableBuilder::add_rows(const Chunk& chunk) {
  const auto launches = static_cast<uint32_t>(all_.launches.size());
  const auto copies = static_cast<uint32_t>(all_.copies.size());
  const auto moved = [&](uint32_t detail, ActivityKind kind) {
    if (detail == kNone || !occupies_device(kind)) return detail;
    return detail + (kind == ActivityKind::kernel ? launches : copies);
  };
  const size_t first = all_.activities.size();
  all_.activities.append(chunk.activities);
  for (size_t row = first; row < all_.activities.size(); ++row) {
    all_.activities.detail[row] = moved(all_.activities.detail[row], all_.activities.kind[row]);
  }
  for (Half half : chunk.halves) {
    half.activity.detail = moved(half.activity.detail, half.activity.kind);
    all_.halves.push_back(half);
  }
}

void TableBuilder::add(const Chunk& chunk, double share) {
  make_room(chunk.activities.size(), share);
  add_rows(chunk);
  append(all_.launches, chunk.launches);
  append(all_.copies, chunk.copies);
  append(all_.memory, chunk.memory);
  append(all_.labels, chunk.labels);
  all_.passed_over += chunk.passed_over;
  all_.skipped += chunk.skipped;
  for (const auto& [what, times] : chunk.problems) all_.problems[what] += times;
  all_.is_kineto = all_.is_kineto || chunk.is_kineto;
}

void TableBuilder::make_room(size_t rows, double share) {
  const size_t needed = all_.activities.size() + rows;
  if (needed <= all_.activities.start_ns.capacity()) return;
  // A file may be unlike its beginning.
  const auto now = static_cast<double>(needed);
  const double all = share > 0 ? 1.02 * now / share : 2 * now;
  all_.activities.reserve(static_cast<size_t>(std::clamp(all, 1.2 * now, 64 * now)));
}

void TableBuilder::join_halves() {
  const JoinedHalves joined = trace::join_halves(std::exchange(all_.halves, {}));
  for (const Activity& activity : joined.activities) all_.activities.add(activity);
  const auto skip = [&](const char* what, int64_t times) {
    if (times == 0) return;
    all_.skipped += times;
    all_.problems[what] += times;
  };
  skip("a begin (ph B) without its end", joined.begins_alone);
  skip("an end (ph E) without its begin", joined.ends_alone);
}

std::vector<uint32_t> TableBuilder::order_tracks(Trace& trace) {
  std::vector<uint32_t> places(tracks_.size());
  for (const auto& [key, number] : track_numbers_) {
    places[number] = static_cast<uint32_t>(trace.tracks.size());
    trace.tracks.push_back(std::move(tracks_[number]));
  }
  return places;
}

void TableBuilder::name_tracks(Trace& trace) const {
  for (const Label& label : all_.labels) {
    Track track;
    track.process = label.process;
    track.thread = label.thread;
    const auto found = track_numbers_.find(key_of(track));
    if (found == track_numbers_.end()) continue;
    trace.tracks[static_cast<size_t>(std::distance(track_numbers_.begin(), found))].name =
        label.text;
  }
}

void TableBuilder::finish(int threads, Trace& trace) {
  join_halves();
  trace.names.assign(names_.texts().begin(), names_.texts().end());
  const std::vector<uint32_t> places = order_tracks(trace);
  name_tracks(trace);
  for (uint32_t& track : all_.activities.track) track = places[track];
  trace.first_of_track = sort_rows(all_.activities, trace.names, trace.tracks.size(), threads);
  trace.activities = std::move(all_.activities);
  trace.launches = std::move(all_.launches);
  trace.copies = std::move(all_.copies);
  trace.memory = std::move(all_.memory);
  std::stable_sort(trace.memory.begin(), trace.memory.end(),
                   [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
  trace.read.passed_over += all_.passed_over;
  trace.read.skipped += all_.skipped;
  for (const auto& [what, times] : all_.problems) trace.read.problems[what] += times;
  trace.read.events = static_cast<int64_t>(trace.activities.size());
}

}  // namespace batchscope::trace
