#include <algorithm>
#include <span>
#include <thread>
#include <tuple>
#include <utility>

#include "chunk.hpp"

namespace batchscope::trace {
namespace {

// Numbers of one numbering -> numbers of the trace.
using Mapping = std::vector<uint32_t>;

struct Mappings {
  std::vector<Mapping> names;  // by numbering
  std::vector<Mapping> tracks;
};

std::tuple<bool, int64_t, int64_t, int64_t, int64_t> order_of(const Track& track) {
  return {track.on_device(), track.process, track.device, track.stream, track.thread};
}

std::vector<Mapping> map_names(const std::deque<Numbering>& numberings,
                               std::string (*clean_name)(std::string_view), Trace& trace) {
  InternTable all;
  std::vector<Mapping> mappings;
  for (const Numbering& numbering : numberings) {
    Mapping mapping;
    mapping.reserve(numbering.names.texts().size());
    for (const std::string& text : numbering.names.texts()) {
      mapping.push_back(all.number_of(clean_name(text)));
    }
    mappings.push_back(std::move(mapping));
  }
  trace.names.assign(all.texts().begin(), all.texts().end());
  return mappings;
}

// Tracks of the trace stand in the order of their numbers, the host's first.
std::vector<Mapping> map_tracks(const std::deque<Numbering>& numberings, Trace& trace) {
  for (const Numbering& numbering : numberings) {
    trace.tracks.insert(trace.tracks.end(), numbering.tracks.begin(), numbering.tracks.end());
  }
  const auto less = [](const Track& a, const Track& b) { return order_of(a) < order_of(b); };
  const auto equal = [](const Track& a, const Track& b) { return order_of(a) == order_of(b); };
  std::sort(trace.tracks.begin(), trace.tracks.end(), less);
  trace.tracks.erase(std::unique(trace.tracks.begin(), trace.tracks.end(), equal),
                     trace.tracks.end());
  std::vector<Mapping> mappings;
  for (const Numbering& numbering : numberings) {
    Mapping mapping;
    for (const Track& track : numbering.tracks) {
      const auto found = std::lower_bound(trace.tracks.begin(), trace.tracks.end(), track, less);
      mapping.push_back(static_cast<uint32_t>(found - trace.tracks.begin()));
    }
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

// A run of chunks that one thread puts into the table.
struct Share {
  std::span<NumberedChunk> chunks;
  std::vector<size_t> next;  // by track: the row that comes next
  size_t launches = 0;       // how many stand before it in the trace
  size_t copies = 0;
};

// About as many rows each.
std::vector<Share> shares_of(std::span<NumberedChunk> chunks, size_t threads) {
  size_t rows = 0;
  for (const NumberedChunk& each : chunks) rows += each.chunk.activities.size();
  constexpr size_t kWorthAThread = 50'000;
  const size_t count = std::clamp<size_t>(rows / kWorthAThread, 1, threads);
  std::vector<Share> shares;
  size_t first = 0;
  size_t taken = 0;
  for (size_t i = 0; i < chunks.size(); ++i) {
    taken += chunks[i].chunk.activities.size();
    const bool is_last = i + 1 == chunks.size();
    if (!is_last && taken * count < rows * (shares.size() + 1)) continue;
    shares.push_back({chunks.subspan(first, i + 1 - first), {}, 0, 0});
    first = i + 1;
  }
  return shares;
}

// Where each share's rows, launches and copies go, so that the file's order stays; the rows of each
// track begin at `first_of_track`.
void plan(std::vector<Share>& shares, const Mappings& mappings, Trace& trace) {
  const size_t tracks = trace.tracks.size();
  size_t launches = 0;
  size_t copies = 0;
  for (Share& share : shares) {
    share.next.assign(tracks, 0);
    share.launches = launches;
    share.copies = copies;
    for (const auto& [chunk, numbering] : share.chunks) {
      const Mapping& mapping = mappings.tracks[numbering];
      for (const uint32_t track : chunk.activities.track) ++share.next[mapping[track]];
      launches += chunk.launches.size();
      copies += chunk.copies.size();
    }
  }
  size_t row = 0;
  for (size_t track = 0; track < tracks; ++track) {
    trace.first_of_track.push_back(row);
    for (Share& share : shares) row += std::exchange(share.next[track], row);
  }
  trace.first_of_track.push_back(row);
  trace.activities.resize(row);
  trace.launches.resize(launches);
  trace.copies.resize(copies);
}

uint32_t moved_detail(const Activity& activity, const Share& share, const Mapping& names) {
  if (activity.detail == kNone) return kNone;
  if (activity.kind == ActivityKind::op) return names[activity.detail];
  const bool launch = activity.kind == ActivityKind::kernel;
  return activity.detail + static_cast<uint32_t>(launch ? share.launches : share.copies);
}

void place(Share& share, const Mappings& mappings, Trace& trace) {
  for (auto& [chunk, numbering] : share.chunks) {
    const Mapping& names = mappings.names[numbering];
    const Mapping& tracks = mappings.tracks[numbering];
    for (size_t i = 0; i < chunk.activities.size(); ++i) {
      Activity activity = chunk.activities.row(i);
      activity.detail = moved_detail(activity, share, names);
      activity.name = names[activity.name];
      activity.track = tracks[activity.track];
      trace.activities.set(share.next[activity.track]++, activity);
    }
    std::copy(chunk.launches.begin(), chunk.launches.end(),
              trace.launches.begin() + static_cast<std::ptrdiff_t>(share.launches));
    std::copy(chunk.copies.begin(), chunk.copies.end(),
              trace.copies.begin() + static_cast<std::ptrdiff_t>(share.copies));
    share.launches += chunk.launches.size();
    share.copies += chunk.copies.size();
    chunk.activities = {};
    chunk.launches = {};
    chunk.copies = {};
  }
}

void place_all(std::vector<Share>& shares, const Mappings& mappings, Trace& trace) {
  std::vector<std::thread> others;
  for (size_t i = 1; i < shares.size(); ++i) {
    others.emplace_back([&, i] { place(shares[i], mappings, trace); });
  }
  if (!shares.empty()) place(shares.front(), mappings, trace);
  for (std::thread& other : others) other.join();
}

void name_tracks(const std::vector<Label>& labels, Trace& trace) {
  for (const Label& label : labels) {
    Track track;
    track.process = label.process;
    track.thread = label.thread;
    const auto found =
        std::lower_bound(trace.tracks.begin(), trace.tracks.end(), track,
                         [](const Track& a, const Track& b) { return order_of(a) < order_of(b); });
    if (found != trace.tracks.end() && order_of(*found) == order_of(track)) {
      found->name = label.text;
    }
  }
}

// What is not of activities.
void take_rest(const Chunk& chunk, Trace& trace) {
  trace.memory.insert(trace.memory.end(), chunk.memory.begin(), chunk.memory.end());
  trace.read.passed_over += chunk.passed_over;
  trace.read.skipped += chunk.skipped;
  for (const auto& [what, times] : chunk.problems) trace.read.problems[what] += times;
  name_tracks(chunk.labels, trace);
}

// How rows of one track are ordered. Names break ties, so that the order of the file does not show.
struct SortKey {
  int64_t start;
  int64_t duration;
  uint32_t row;
};

template <class T>
void permute(std::vector<T>& column, size_t first, const std::vector<SortKey>& keys,
             std::vector<T>& scratch) {
  scratch.resize(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) scratch[i] = column[keys[i].row];
  std::copy(scratch.begin(), scratch.end(), column.begin() + static_cast<std::ptrdiff_t>(first));
}

bool comes_before(const Trace& trace, const SortKey& a, const SortKey& b) {
  if (a.start != b.start) return a.start < b.start;
  if (a.duration != b.duration) return a.duration > b.duration;
  const ActivityTable& rows = trace.activities;
  if (rows.kind[a.row] != rows.kind[b.row]) return rows.kind[a.row] < rows.kind[b.row];
  if (rows.name[a.row] != rows.name[b.row]) return trace.name_of(a.row) < trace.name_of(b.row);
  return rows.correlation[a.row] < rows.correlation[b.row];
}

// One track often has most of the rows: that of the thread that trains.
template <class Less>
void sort_in_two(std::vector<SortKey>& keys, Less less) {
  constexpr size_t kWorthAThread = 100'000;
  if (keys.size() < kWorthAThread) return std::sort(keys.begin(), keys.end(), less);
  const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2);
  std::thread other([&] { std::sort(middle, keys.end(), less); });
  std::sort(keys.begin(), middle, less);
  other.join();
  std::inplace_merge(keys.begin(), middle, keys.end(), less);
}

void sort_rows(Trace& trace, size_t first, size_t last) {
  ActivityTable& rows = trace.activities;
  std::vector<SortKey> keys(last - first);
  for (size_t row = first; row < last; ++row) {
    keys[row - first] = {rows.start_ns[row], rows.duration_ns[row], static_cast<uint32_t>(row)};
  }
  const auto less = [&](const SortKey& a, const SortKey& b) { return comes_before(trace, a, b); };
  if (std::is_sorted(keys.begin(), keys.end(), less)) return;
  sort_in_two(keys, less);
  std::vector<int64_t> wide;
  std::vector<uint32_t> narrow;
  std::vector<ActivityKind> kinds;
  permute(rows.start_ns, first, keys, wide);
  permute(rows.duration_ns, first, keys, wide);
  permute(rows.correlation, first, keys, wide);
  permute(rows.name, first, keys, narrow);
  permute(rows.detail, first, keys, narrow);
  permute(rows.kind, first, keys, kinds);
}

}  // namespace

void assemble(std::vector<NumberedChunk>&& chunks, const std::deque<Numbering>& numberings,
              std::string (*clean_name)(std::string_view), int threads, Trace& trace) {
  const Mappings mappings{map_names(numberings, clean_name, trace), map_tracks(numberings, trace)};
  std::vector<Share> shares = shares_of(chunks, static_cast<size_t>(std::max(1, threads)));
  plan(shares, mappings, trace);
  place_all(shares, mappings, trace);
  for (const auto& [chunk, numbering] : chunks) take_rest(chunk, trace);
  for (size_t track = 0; track + 1 < trace.first_of_track.size(); ++track) {
    sort_rows(trace, trace.first_of_track[track], trace.first_of_track[track + 1]);
  }
  std::stable_sort(trace.memory.begin(), trace.memory.end(),
                   [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
  trace.read.events = static_cast<int64_t>(trace.activities.size());
}

}  // namespace batchscope::trace
