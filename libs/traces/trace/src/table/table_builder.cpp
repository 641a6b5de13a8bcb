#include "table_builder.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <numeric>
#include <string_view>
#include <thread>
#include <utility>

#include "parallel/side_by_side.hpp"

namespace batchscope::trace {
namespace {

struct SortKey {
  int64_t start;
  int64_t duration;
  uint32_t row;
};

class Sorting {
 public:
  // Names are in the order of their numbers.
  Sorting(ActivityTable& rows, size_t tracks, int threads)
      : rows_(rows), first_of_track_(tracks + 1), threads_(threads) {}

  std::vector<size_t> run() {
    group_by_track();
    sort_tracks();
    if (std::is_sorted(order_.begin(), order_.end())) return std::move(first_of_track_);
    put_in_order();
    return std::move(first_of_track_);
  }

 private:
  // The rows of each track, in the order in which they came.
  void group_by_track() {
    for (const uint32_t track : rows_.track) ++first_of_track_[track + 1];
    std::partial_sum(first_of_track_.begin(), first_of_track_.end(), first_of_track_.begin());
    std::vector<size_t> next(first_of_track_.begin(), first_of_track_.end());
    order_.resize(rows_.size());
    for (size_t row = 0; row < rows_.size(); ++row) {
      order_[next[rows_.track[row]]++] = static_cast<uint32_t>(row);
    }
  }

  size_t size_of(size_t track) const { return first_of_track_[track + 1] - first_of_track_[track]; }

  // The largest first, so that no thread is left with one alone; the largest of all is often that
  // of the thread that trains, and has most of the rows.
  void sort_tracks() {
    std::vector<size_t> tracks(first_of_track_.size() - 1);
    std::iota(tracks.begin(), tracks.end(), size_t{0});
    std::sort(tracks.begin(), tracks.end(),
              [&](size_t a, size_t b) { return size_of(a) > size_of(b); });
    std::atomic<size_t> next = 0;
    if (!tracks.empty() && threads_ > 1 && size_of(tracks.front()) > rows_.size() / 3) {
      sort_track(tracks[next++], /*in_two=*/true);
    }
    side_by_side(threads_, [&](int) {
      for (size_t i = next++; i < tracks.size(); i = next++) sort_track(tracks[i], false);
    });
  }

  bool comes_before(const SortKey& a, const SortKey& b) const {
    if (a.start != b.start) return a.start < b.start;
    if (a.duration != b.duration) return a.duration > b.duration;
    if (rows_.kind[a.row] != rows_.kind[b.row]) return rows_.kind[a.row] < rows_.kind[b.row];
    if (rows_.name[a.row] != rows_.name[b.row]) return rows_.name[a.row] < rows_.name[b.row];
    return rows_.correlation[a.row] < rows_.correlation[b.row];
  }

  void sort_track(size_t track, bool in_two) {
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first_of_track_[track]);
    const auto end = order_.begin() + static_cast<std::ptrdiff_t>(first_of_track_[track + 1]);
    std::vector<SortKey> keys;
    keys.reserve(size_of(track));
    for (auto at = begin; at != end; ++at) {
      keys.push_back({rows_.start_ns[*at], rows_.duration_ns[*at], *at});
    }
    const auto less = [this](const SortKey& a, const SortKey& b) { return comes_before(a, b); };
    if (std::is_sorted(keys.begin(), keys.end(), less)) return;
    if (in_two) {
      const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2);
      std::thread other([&] { std::sort(middle, keys.end(), less); });
      std::sort(keys.begin(), middle, less);
      other.join();
      std::inplace_merge(keys.begin(), middle, keys.end(), less);
    } else {
      std::sort(keys.begin(), keys.end(), less);
    }
    std::transform(keys.begin(), keys.end(), begin, [](const SortKey& key) { return key.row; });
  }

  // The column's memory becomes the next one's scratch.
  template <class T>
  void put_in_order(std::vector<T>& column, std::vector<T>& scratch) {
    scratch.resize(column.size());
    const size_t share = column.size() / static_cast<size_t>(threads_) + 1;
    side_by_side(threads_, [&](int thread) {
      const size_t first = std::min(column.size(), share * static_cast<size_t>(thread));
      const size_t last = std::min(column.size(), first + share);
      for (size_t i = first; i < last; ++i) scratch[i] = column[order_[i]];
    });
    std::swap(column, scratch);
  }

  void put_in_order() {
    {
      std::vector<int64_t> scratch;
      put_in_order(rows_.start_ns, scratch);
      put_in_order(rows_.duration_ns, scratch);
      put_in_order(rows_.correlation, scratch);
    }
    {
      std::vector<uint32_t> scratch;
      put_in_order(rows_.name, scratch);
      put_in_order(rows_.detail, scratch);
    }
    std::vector<ActivityKind> scratch;
    put_in_order(rows_.kind, scratch);
    for (size_t track = 0; track + 1 < first_of_track_.size(); ++track) {
      std::fill(rows_.track.begin() + static_cast<std::ptrdiff_t>(first_of_track_[track]),
                rows_.track.begin() + static_cast<std::ptrdiff_t>(first_of_track_[track + 1]),
                static_cast<uint32_t>(track));
    }
  }

  ActivityTable& rows_;
  std::vector<size_t> first_of_track_;
  int threads_;
  std::vector<uint32_t> order_;  // rows as they came, by where they go
};

// Sorts rows by track, then by start, the longer first; names break ties, so that the order of the
// file does not show. Where the rows of each track begin, and where the last ends.
std::vector<size_t> sort_rows(ActivityTable& rows, size_t tracks, int threads) {
  constexpr size_t kWorthAThread = 50'000;
  const auto most = static_cast<int>(rows.size() / kWorthAThread) + 1;
  return Sorting(rows, tracks, std::clamp(threads, 1, most)).run();
}

// Beyond, it is no device's number.
constexpr int64_t kLargestDevice = 1023;
// Names of more processes and threads are no names of a program's.
constexpr size_t kMostLabels = 65'536;

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
  if (!numbering.recorder.empty()) recorder_ = numbering.recorder;
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
  for (LaunchFacts& launch : chunk.launches) {
    if (launch.group != kNone) launch.group = names[launch.group];
  }
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
  for (const Label& label : chunk.labels) {
    if (labels_.size() < kMostLabels) labels_[{label.process, label.thread}] = label.text;
  }
  all_.passed_over += chunk.passed_over;
  all_.skipped += chunk.skipped;
  for (const auto& [what, times] : chunk.problems) all_.problems[what] += times;
  all_.is_kineto = all_.is_kineto || chunk.is_kineto;
  all_.counter_ranges += chunk.counter_ranges;
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
  // What some recorders write in place of a device's number is that of a process.
  std::map<int64_t, int64_t> devices;
  for (const Track& track : tracks_) devices[track.device];
  int64_t last = -1;
  for (auto& [device, shown] : devices) last = shown = device > kLargestDevice ? last + 1 : device;
  for (const auto& [key, number] : track_numbers_) {
    tracks_[number].device = devices[tracks_[number].device];
    places[number] = static_cast<uint32_t>(trace.tracks.size());
    trace.tracks.push_back(std::move(tracks_[number]));
  }
  return places;
}

void TableBuilder::name_tracks(Trace& trace) const {
  for (Track& track : trace.tracks) {
    if (!track.on_device()) track.name = label_of(track.process, track.thread);
  }
}

// By the alphabet: threads that read side by side number them as they come, and whoever breaks a
// tie by the number of a name would answer differently from run to run.
void TableBuilder::order_names(Trace& trace) {
  const auto& texts = names_.texts();
  std::vector<uint32_t> order(texts.size()), places(texts.size());
  std::iota(order.begin(), order.end(), uint32_t{0});
  std::ranges::sort(order, {}, [&](uint32_t name) -> std::string_view { return texts[name]; });
  for (const uint32_t name : order) {
    places[name] = static_cast<uint32_t>(trace.names.size());
    trace.names.push_back(texts[name]);
  }
  ActivityTable& rows = all_.activities;
  for (size_t row = 0; row < rows.size(); ++row) {
    rows.name[row] = places[rows.name[row]];
    uint32_t& detail = rows.detail[row];
    if (rows.kind[row] == ActivityKind::op && detail != kNone) detail = places[detail];
  }
  for (LaunchFacts& launch : all_.launches) {
    if (launch.group != kNone) launch.group = places[launch.group];
  }
}

void TableBuilder::finish(int threads, Trace& trace) {
  join_halves();
  read_lanes();
  order_names(trace);
  const std::vector<uint32_t> places = order_tracks(trace);
  name_tracks(trace);
  for (uint32_t& track : all_.activities.track) track = places[track];
  trace.first_of_track = sort_rows(all_.activities, trace.tracks.size(), threads);
  trace.activities = std::move(all_.activities);
  trace.launches = std::move(all_.launches);
  trace.copies = std::move(all_.copies);
  trace.memory = std::move(all_.memory);
  std::stable_sort(trace.memory.begin(), trace.memory.end(),
                   [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
  trace.counter_ranges = all_.counter_ranges;
  trace.read.passed_over += all_.passed_over;
  trace.read.skipped += all_.skipped;
  for (const auto& [what, times] : all_.problems) trace.read.problems[what] += times;
  trace.read.events = static_cast<int64_t>(trace.activities.size());
}

}  // namespace batchscope::trace
