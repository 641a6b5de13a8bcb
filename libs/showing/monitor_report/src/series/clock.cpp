#include "series/clock.hpp"

#include <algorithm>

namespace batchscope::monitor_report {
namespace {

constexpr int64_t kUsualDistances = 5;

int64_t middle(int64_t from, int64_t to) {
  return from + (to - from) / 2;
}

int64_t usual_distance(std::span<const int64_t> times_ns) {
  if (times_ns.size() < 2) return 0;
  std::vector<int64_t> distances;
  distances.reserve(times_ns.size() - 1);
  for (size_t i = 1; i < times_ns.size(); ++i) distances.push_back(times_ns[i] - times_ns[i - 1]);
  const auto half = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), half, distances.end());
  return *half;
}

int64_t least_gap(std::span<const int64_t> times_ns, size_t most_rows) {
  const int64_t usual = usual_distance(times_ns);
  const int64_t most = (times_ns.back() - times_ns.front()) / kUsualDistances;
  int64_t least = usual >= most ? times_ns.back() : kUsualDistances * usual;
  if (times_ns.size() > most_rows) {
    least = std::max(least, (times_ns.back() - times_ns.front()) / static_cast<int64_t>(most_rows));
  }
  return least;
}

}  // namespace

TimeAxis time_axis_of(std::span<const int64_t> times_ns, size_t most_rows) {
  TimeAxis clock;
  if (times_ns.empty()) return clock;
  const int64_t least = least_gap(times_ns, most_rows);
  clock.most = (times_ns.size() + most_rows - 1) / most_rows;
  size_t first = 0;
  for (size_t i = 1; i <= times_ns.size(); ++i) {
    const bool ends = i == times_ns.size();
    const int64_t distance = ends ? 0 : times_ns[i] - times_ns[i - 1];
    const bool gap = distance > least;
    if (!ends && !gap && i - first < clock.most) continue;
    clock.rows.push_back({first, i, middle(times_ns[first], times_ns[i - 1])});
    first = i;
    if (!gap) continue;
    clock.rows.push_back({i, i, middle(times_ns[i - 1], times_ns[i])});
    ++clock.gaps;
    clock.longest_gap_ns = std::max(clock.longest_gap_ns, distance);
  }
  return clock;
}

}  // namespace batchscope::monitor_report
