#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace batchscope::ranges {

// Resident memory of the whole process (not of one thread, and not only of what the range
// allocated), in bytes, at both ends of a range and at most in between.
struct MemoryUse {
  std::optional<int64_t> before_bytes;
  std::optional<int64_t> after_bytes;  // absent while the range is open
  // Absent where the system does not let the peak begin anew and an older one hides this range's.
  std::optional<int64_t> peak_bytes;
  bool operator==(const MemoryUse&) const = default;
};

// One range as it was recorded.
struct RangeRecord {
  std::string name;
  int thread = 0;      // RecordedThread::number of the thread on which it began
  int64_t number = 0;  // of this thread's ranges, in the order in which they began, from 0
  // The innermost range that was open on this thread when it began; absent: none was.
  std::optional<int64_t> parent{};
  int64_t begin_ns = 0;
  int64_t end_ns = 0;  // of an open range: when the recording was taken
  bool open = false;
  bool moved = false;                  // ended on another thread than it began on
  std::optional<int64_t> device_ns{};  // with a DeviceClock, once the range has ended
  std::optional<MemoryUse> memory{};   // with ProfilerOptions::memory
};

struct RecordedThread {
  int number = 0;         // of the profiler's threads, in the order of their first range, from 0
  int64_t system_id = 0;  // as the system numbers its threads (gettid)
};

// What a profiler holds at one moment.
struct Recording {
  std::vector<RecordedThread> threads;  // by number; of those that have ended only what has ranges
  std::vector<RangeRecord> ranges;      // by thread, then by number
  int64_t taken_ns = 0;
  int64_t dropped = 0;         // ranges beyond ProfilerOptions::most_ranges: they are not here
  int64_t unmatched_ends = 0;  // calls of end() on a thread that had nothing to end
};

}  // namespace batchscope::ranges
