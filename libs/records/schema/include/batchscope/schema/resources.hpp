#pragma once

#include <cstdint>
#include <optional>

namespace batchscope::schema {

// Peaks over the timed iterations where nothing else is said, in bytes; absent where the device or
// the system cannot say. Of several instances: their sum; pages that they share count for each.
struct Memory {
  std::optional<int64_t> peak_rss_bytes;        // host, whole process, from its start on
  std::optional<int64_t> peak_allocated_bytes;  // device allocator: handed out to tensors
  std::optional<int64_t> peak_reserved_bytes;   // device allocator: taken from the device
  std::optional<int64_t> device_allocations;    // calls to the device for memory while timed
  // As peak_rss_bytes, but from the first iteration on, warm-up included: without what loading the
  // model took for a while.
  std::optional<int64_t> peak_iterations_rss_bytes;
  // What the kernel charged to the worker's memory group under a limit, page cache included, over
  // the whole life of the process: what the limit is held against.
  std::optional<int64_t> peak_group_bytes;
};

// What the operating system charged for the timed iterations (all threads, all instances), read
// once before and once after them.
struct Usage {
  std::optional<int64_t> minor_faults;
  std::optional<int64_t> major_faults;
  std::optional<int64_t> user_ns;
  std::optional<int64_t> system_ns;
  std::optional<int64_t> voluntary_switches;
  std::optional<int64_t> involuntary_switches;
  // Ready to run but without a processor, summed over the threads; threads that ended meanwhile are
  // not in it. Absent where the kernel does not count it (CONFIG_SCHED_INFO).
  std::optional<int64_t> wait_ns;
  // The same of the thread that waited longest: threads that wait at the same time cost an
  // iteration that time once. Of several instances: of all their threads.
  std::optional<int64_t> wait_max_thread_ns;
  // Share of the time of the processors it may run on that the hypervisor gave to others, in ticks
  // of 10 ms; of several instances: the mean.
  std::optional<double> steal_ratio;
};

// Of an interpreter's garbage collector, over the timed iterations.
struct Collections {
  int64_t count = 0;     // of all generations
  int64_t total_ns = 0;  // in which nothing else ran in the interpreter
  int64_t longest_ns = 0;
  bool operator==(const Collections&) const = default;
};

// What an interpreter's compiler did, which is never part of an iteration unless it came back in
// one.
struct Compilation {
  int64_t total_ns = 0;             // before the warm-up
  int64_t graphs = 0;               // that were compiled
  int64_t graph_breaks = 0;         // places at which it left the rest to the interpreter
  int64_t recompiled = 0;           // graphs compiled anew in warm-up and timed iterations
  int64_t recompiled_timed = 0;     // of them in timed ones
  int64_t recompiled_timed_ns = 0;  // the time of these
  bool operator==(const Compilation&) const = default;
};

}  // namespace batchscope::schema
