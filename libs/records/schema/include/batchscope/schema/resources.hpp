#pragma once

#include <cstdint>
#include <optional>
#include <vector>

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

// A loop over a loader beside a step of another length.
struct LoopTime {
  int64_t step_ns = 0;       // as it was asked for
  int64_t iteration_ns = 0;  // the mean, wait and step
  int64_t wait_ns = 0;       // of it, for the batch
  int64_t batches = 0;
  bool operator==(const LoopTime&) const = default;
};

// Of one worker process of a loader, or of what it grew to.
struct WorkerMemory {
  int64_t pss_bytes = 0;            // pages shared with n processes count 1/n
  int64_t private_dirty_bytes = 0;  // written by it alone: what it added to the machine's use
  bool operator==(const WorkerMemory&) const = default;
};

// Of the copies of a batch to a device, each timed by itself.
struct BatchCopies {
  int64_t pin_ns = 0;       // into pinned memory
  int64_t pageable_ns = 0;  // to the device from where the loader left it
  int64_t pinned_ns = 0;    // the same from pinned memory
  bool operator==(const BatchCopies&) const = default;
};

// What a DataLoader in Python does in a visit: over the timed iterations, then in further ones.
struct LoaderFacts {
  std::optional<int64_t> samples;      // of an epoch; absent where the data set has no length
  int64_t batch_bytes = 0;             // of the tensors of a batch
  int64_t first_batch_ns = 0;          // from making the iterator, workers started
  int64_t new_epoch_ns = 0;            // the same of the next epoch
  std::optional<int64_t> handover_ns;  // next() while the batch lies ready; absent without workers
  // Over the timed iterations, of a batch: means, and the time that 95 % of them stay below.
  int64_t fetch_ns = 0, collate_ns = 0;
  int64_t typical_ns = 0, slow_ns = 0;  // median and 95 % point of fetch + collate
  int64_t cpu_ns = 0;                   // of all processes of the loader
  std::optional<BatchCopies> copies;    // on an accelerator
  // Of each worker: behind its first batches, and after `epoch_share` of an epoch.
  std::vector<WorkerMemory> memory_begun, memory_ended;
  double epoch_share = 0;
  // The step of the run (its length as asked for; 0: the user's own), and what other lengths take.
  int64_t step_ns = 0;
  std::vector<LoopTime> other_steps;
  bool operator==(const LoaderFacts&) const = default;
};

}  // namespace batchscope::schema
