#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace batchscope::monitor_report {

// Of a line at most, so that it has at most twice as many extremes as a screen has pixels.
inline constexpr size_t kMostRows = 1000;

// Readings [first, last) that follow each other and are drawn as one; none: a gap, in which nothing
// was told.
struct Row {
  size_t first = 0, last = 0;
  int64_t time_ns = 0;  // the middle
  bool is_gap() const { return first == last; }
};

// When something was told, in rows of equally many readings.
struct TimeAxis {
  std::vector<Row> rows;
  size_t most = 0;  // readings of a row
  size_t gaps = 0;  // that it was silent
  int64_t longest_gap_ns = 0;
};

// Of times that never fall and are no less than 0. A gap is longer than five of the usual distances
// between two readings, and where rows hold several, than a row is wide.
TimeAxis time_axis_of(std::span<const int64_t> times_ns, size_t most_rows = kMostRows);

}  // namespace batchscope::monitor_report
