#include "sorting.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
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
  Sorting(ActivityTable& rows, const std::vector<std::string>& names, size_t tracks, int threads)
      : rows_(rows), names_(names), first_of_track_(tracks + 1), threads_(threads) {}

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
    if (rows_.name[a.row] != rows_.name[b.row]) {
      return names_[rows_.name[a.row]] < names_[rows_.name[b.row]];
    }
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
  const std::vector<std::string>& names_;
  std::vector<size_t> first_of_track_;
  int threads_;
  std::vector<uint32_t> order_;  // rows as they came, by where they go
};

}  // namespace

std::vector<size_t> sort_rows(ActivityTable& rows, const std::vector<std::string>& names,
                              size_t tracks, int threads) {
  constexpr size_t kWorthAThread = 50'000;
  const auto most = static_cast<int>(rows.size() / kWorthAThread) + 1;
  return Sorting(rows, names, tracks, std::clamp(threads, 1, most)).run();
}

}  // namespace batchscope::trace
