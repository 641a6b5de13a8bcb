#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/ranges/clocks.hpp"
#include "batchscope/ranges/nvtx.hpp"
#include "batchscope/ranges/recording.hpp"
#include "name_table.hpp"
#include "process_memory.hpp"

namespace batchscope::ranges {

// What all threads of a profiler share. Null where it is not wanted.
struct Instruments {
  const HostClock* clock = nullptr;
  DeviceClock* device = nullptr;
  ProcessMemory* memory = nullptr;
  std::size_t most_ranges = 0;
  bool shown = false;  // a tool is attached that shows ranges

  // One look on the hot path for all that is seldom wanted.
  bool extras = device != nullptr || memory != nullptr || shown;

  int64_t now_ns() const;
};

// What few profilers ask for, and what a tool is told.
struct Extras {
  int64_t device_begin = 0, device_end = 0;  // marks
  ProcessMemory::Span span;
  MemoryUse memory;
  ranges::nvtx::ScopedRange shown;
};

// Written by the thread on which it began, then by the one that ends it. `state` tells what of it
// may be read: the rest is written before the state that allows it.
struct RangeSlot {
  enum State : uint8_t {
    open,
    ending,
    ended,  // but still on its thread's stack
    gone,   // from the stack too: only the buffer knows it
  };
  std::atomic<State> state{open};
  bool moved = false;
  bool taken = false;  // under the log's mutex
  const std::string* name = nullptr;
  int64_t number = 0;
  int64_t parent = -1;
  int64_t begin_ns = 0, end_ns = 0;
  std::unique_ptr<Extras> extras;
};

// One thread's ranges. begin(), end_innermost() and end_all() are for the thread it belongs to,
// end() for whoever ends the range, the rest for anyone.
class ThreadLog {
 public:
  // `alive` tells whether the thread is.
  ThreadLog(const Instruments& instruments, uint64_t owner, int index,
            std::shared_ptr<const std::atomic<bool>> alive);
  ~ThreadLog();

  // Null beyond Instruments::most_ranges. `scoped`: a Range ends it.
  RangeSlot* begin(std::string_view name, bool scoped);
  void end(RangeSlot& event);
  void end_innermost();
  void end_all();
  std::size_t open_ranges();

  // Appends the records. collect() takes none away and knows the open ones, as of `now_ns`.
  void collect(std::vector<RangeRecord>& records, int64_t now_ns);
  void take(std::vector<RangeRecord>& records);
  // Its thread has ended, and all it recorded was taken: it can go.
  bool is_done();

  uint64_t owner() const { return owner_; }
  int index() const { return index_; }
  int64_t system_id() const { return system_id_; }
  int64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }
  int64_t unmatched_ends() const { return unmatched_ends_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kChunk = 128;
  struct Chunk {
    int64_t first = 0;     // number of its first range
    std::size_t done = 0;  // so many at its beginning are taken and gone; under the log's mutex
    std::array<RangeSlot, kChunk> events;
  };
  struct Open {
    RangeSlot* event = nullptr;  // null: dropped
    bool scoped = false;
  };

  RangeSlot* next_event();
  void begin_extras(RangeSlot& event) const;
  void end_extras(Extras& extras) const;
  void surface();
  std::ptrdiff_t innermost_begun() const;
  void drop(bool scoped);
  static bool is_open(const Open& entry);
  // Without those before Chunk::done.
  std::span<RangeSlot> begun_in(Chunk& chunk) const;
  RangeRecord record_of(const RangeSlot& event, bool ended) const;
  void release_marks(const RangeSlot& event) const;

  const Instruments instruments_;
  const uint64_t owner_;
  const int index_;
  const int64_t system_id_;
  const std::shared_ptr<const std::atomic<bool>> alive_;

  // The owner's alone.
  std::vector<Open> stack_;
  Chunk* current_ = nullptr;
  std::size_t used_ = kChunk;  // of the current chunk
  NameTable names_;

  std::atomic<int64_t> begun_{0};  // ranges whose first half may be read
  std::atomic<std::size_t> kept_{0};
  std::atomic<int64_t> dropped_{0}, unmatched_ends_{0};

  std::mutex mutex_;
  std::vector<std::unique_ptr<Chunk>> chunks_;  // by number; those that were taken are gone
};

// A number that no other thread of this process has, ever.
uint64_t this_thread_number();

}  // namespace batchscope::ranges
