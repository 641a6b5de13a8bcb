#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "batchscope/base/system_root.hpp"
#include "batchscope/ranges/clocks.hpp"
#include "batchscope/ranges/recording.hpp"

namespace batchscope::ranges {

struct RangeSlot;  // a range's place in its thread's buffer
class ThreadLog;   // that buffer

struct ProfilerOptions {
  const HostClock* clock = nullptr;  // null: std::chrono::steady_clock; outlives the profiler
  DeviceClock* device = nullptr;     // null: no device times; outlives the profiler
  // Resident memory before, after and at most. It is the process's, so ranges of several threads
  // see each other's; it costs two reads of /proc a range, some ten microseconds each; and since
  // the kernel keeps one peak a process, only one profiler at a time may ask for it.
  bool memory = false;
  // Kept for each thread, some 60 bytes each; more are counted and dropped.
  std::size_t most_ranges = std::size_t{1} << 20;
  base::SystemRoot root{};  // where /proc is
};

// A range that ends where it goes out of scope. It can be moved, to another thread too, and ends
// once; the profiler must outlive it.
class [[nodiscard]] Range {
 public:
  Range() = default;
  Range(Range&& other) noexcept;
  Range& operator=(Range&& other) noexcept;  // ends the range it held before
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  ~Range() { end(); }

  // Ends it now; nothing happens if it has ended already. From any thread.
  void end() noexcept;

 private:
  friend class Profiler;
  Range(ThreadLog* log, RangeSlot* event) : log_(log), event_(event) {}

  ThreadLog* log_ = nullptr;
  RangeSlot* event_ = nullptr;
};

// Times named ranges of any code, on any number of threads. Each thread writes into a buffer of its
// own and takes no lock for it, except when it needs a new piece of the buffer, meets a name for
// the first time, or changes from one profiler to another.
//
// What is unusual is defined:
// - A range lies within the innermost one that is open on its thread when it begins.
// - A range that ends before one inside it just ends; the inner one goes on and keeps its place,
//   and until it ends, new ranges lie within it.
// - A range that ends on another thread keeps its place on the thread on which it began.
// - A range that is still open when a recording is taken is in it, marked as open.
class Profiler {
 public:
  explicit Profiler(const ProfilerOptions& options = {});
  ~Profiler();
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  // The name is copied.
  Range range(std::string_view name);
  // The same without an object: end() ends the innermost open range of the calling thread that
  // begin() began, or is counted as unmatched if there is none.
  void begin(std::string_view name);
  void end();
  // Ends all that begin() left open on the calling thread.
  void end_all();
  // Ranges of both kinds that are open on the calling thread's buffer.
  std::size_t open_ranges() const;

  // Everything that was recorded and not taken yet. Waits for the device where there is one.
  Recording recording() const;
  // Moves the ranges that have ended into `taken`, which is emptied first; by thread, then by
  // number. Those still open are left for a later call.
  void take(std::vector<RangeRecord>& taken);
  // RangeRecord::thread of ranges that the calling thread begins.
  int this_thread() const;

 private:
  struct State;
  ThreadLog& log() const;

  std::unique_ptr<State> state_;
};

}  // namespace batchscope::ranges
