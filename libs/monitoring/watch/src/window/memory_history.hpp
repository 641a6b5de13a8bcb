#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "batchscope/stats/interval.hpp"
#include "ring_buffer.hpp"

namespace batchscope::watch {

// Memory that rises, and goes on to.
struct Rise {
  double bytes_a_second = 0;
  stats::Interval interval;  // 95 %, of bytes_a_second
  double p = 1;              // that there is no trend
  double over_seconds = 0;   // for so long it has risen
};

// The memory of one thing over weeks: the lowest reading of every 5 seconds, half minute, 4
// minutes, half hour and 4 hours, 64 of each. The lowest, because an allocator's saw-tooth has its
// level there.
class MemoryHistory {
 public:
  void add(int64_t time_ns, double bytes);
  // Of the shortest span that shows one, from 20 minutes on, or of longer ones of the same rate:
  // what fills up at the start of a job or of an epoch has an end in it.
  const std::optional<Rise>& rise() const { return rise_; }
  // Of the last 4 to 5 minutes, which may have an end soon.
  std::optional<Rise> of_minutes() const;
  // Whether it went up in the last minutes, whatever that may become.
  bool goes_up() const;
  double last_bytes() const { return last_bytes_; }

 private:
  static constexpr std::size_t kLevels = 5, kPoints = 64, kParts = 8;

  struct Point {
    int64_t time_ns = 0;
    double bytes = 0;
  };
  struct Level {
    RingBuffer<Point, kPoints> points;
    double trough = std::numeric_limits<double>::infinity();
    int64_t began_ns = 0;
    std::optional<Rise> rise;
    int times = 0;              // that it rose, one after the other
    int64_t rises_from_ns = 0;  // the first of them
    // The highest of each 64 points that are gone, of the last eight times as many.
    RingBuffer<double, kParts> highest_gone;
    std::size_t gone = 0;

    void push(Point point);
    std::vector<double> values() const;
    bool was_as_high() const;
  };
  void put(std::size_t level, int64_t time_ns, double bytes);
  void choose_rise();

  std::array<Level, kLevels> levels_{};
  std::optional<Rise> rise_;
  int64_t last_ns_ = 0;
  double last_bytes_ = 0;
};

}  // namespace batchscope::watch
