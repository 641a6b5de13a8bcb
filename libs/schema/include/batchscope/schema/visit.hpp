#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/remark.hpp"
#include "batchscope/schema/diagnosis.hpp"
#include "batchscope/schema/open_enum.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::schema {

// No time of a visit is longer (11 days), and no number of a block, order or attempt larger: what
// is was not measured, and sums of such would overflow.
inline constexpr int64_t kLongestNs = 1'000'000'000'000'000;
inline constexpr int kLargestNumber = 1'000'000'000;

// Why a visit was made. Choosing a configuration never looks at `verify`; timing never looks at
// `diagnostic`.
enum class Purpose { measure, control, intervention, verify, diagnostic };
std::string_view to_string(Purpose purpose);

// What times iterations: the machine's steady clock, an engine that states laws and takes no time,
// somebody else before the table was imported.
enum class ClockKind { steady, virtual_time, imported, other };
std::string_view to_string(ClockKind kind);

// One named phase, summed over the timed iterations of a visit (not per iteration), of all its
// instances. `prepare` is not part of an iteration and is summed over the batches prepared.
struct Phase {
  std::string name;  // those that mean something: phases.hpp
  int64_t host_ns = 0;
  std::optional<int64_t> device_ns;  // where the device has its own clock
  int64_t count = 0;                 // how many times it was timed
};

// Peaks over the timed iterations where nothing else is said, in bytes; absent where the device or
// the system cannot say. Of several instances: the sum of their peaks, in
// which pages that they share count once for each.
struct Memory {
  std::optional<int64_t>
      peak_rss_bytes;  // host, whole process, from start to the end of the timed iterations
  std::optional<int64_t> peak_allocated_bytes;  // device allocator: handed out to tensors
  std::optional<int64_t> peak_reserved_bytes;   // device allocator: taken from the device
  std::optional<int64_t>
      device_allocations;  // calls to the device for memory during the timed iterations
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

// How fit the machine was while the visit ran; absent where the system does not say.
struct Fitness {
  std::optional<double> steal_ratio;    // share of the CPU time that the hypervisor gave to others
  std::optional<double> others_load;    // CPUs' worth of work by other processes
  std::optional<int64_t> throttled_ns;  // stopped by the cgroup's CPU quota
  std::optional<double> clock_ratio;    // GPU SM clock / default clock
  std::optional<int64_t> other_gpu_processes;
};

// One configuration measured once: one fresh process (one each of several instances, which run at
// once), unless the run's isolation says otherwise.
// The raw times are kept whole, warm-up first: `warmup_ns` then `samples_ns` is the visit in time
// order.
struct Visit {
  int config = 0;   // index into RunFile::configs
  int block = 0;    // from 0
  int order = 0;    // place within the block, from 0
  int attempt = 0;  // > 0 when the block was repeated after an interruption
  Purpose purpose = Purpose::measure;
  std::vector<int64_t> warmup_ns;
  std::vector<int64_t>
      samples_ns;  // wall time of one iteration each (sync each), or of the series / n (sync end)
  // How many ran back to back for each sample: sync end; variable-length input, where a sample is
  // the mean over one cycle of batches.
  int64_t iterations_per_sample = 1;
  // Of several instances: how many of warmup_ns and of samples_ns each of them made, which stand
  // there one instance after the other. Empty for one instance.
  std::vector<int64_t> instance_warmups, instance_samples;
  std::vector<Phase> phases;
  Memory memory;
  Usage usage;
  Fitness fitness;
  std::optional<Tokens> tokens;            // variable-length input: of one cycle of batches
  std::optional<double> loss;              // train: the last loss
  std::optional<Collections> collections;  // models in Python
  std::optional<Compilation> compilation;  // models in Python that are compiled
  std::optional<Diagnosis> diagnosis;      // of a visit of purpose `diagnostic`
  // Train: the losses of the first steps, at most 16, warm-up included, in their order.
  std::vector<double> losses;
  // Train in fp16: steps, warm-up included, that changed no weight: a gradient was not finite.
  std::optional<int64_t> skipped_steps;
  OpenEnum<ClockKind> clock{};
  int64_t load_ns = 0;                      // start of the process to the model being ready
  int64_t wall_ns = 0;                      // the whole visit as the parent saw it
  std::optional<int64_t> reported_std_ns;   // imported tables: the spread they state
  std::optional<int64_t> reported_repeats;  // imported tables: how many repeats they state
};

// The times of one instance, in time order; they live as long as the visit.
struct InstanceTimes {
  std::span<const int64_t> warmup_ns, samples_ns;
};
// At least one.
std::vector<InstanceTimes> by_instance(const Visit& visit);

// All but warnings cost a visit.
enum class EventKind { out_of_memory, crash, timeout, error, warning, other };
std::string_view to_string(EventKind kind);

// Where in a run something happened; as in Visit. Absent: not in one configuration, or block.
struct RunPlace {
  std::optional<int> config;
  std::optional<int> block;
  int attempt = 0;
};

// What went wrong or is worth knowing, beside the visits.
struct Event : base::Remark<RunPlace> {
  OpenEnum<EventKind> kind{};
  int64_t wall_ns = 0;  // that a visit which failed took; 0: none, or not recorded
};
// What happened, behind its kind where it cost a visit: "out-of-memory: killed at 8 GiB".
std::string in_words(const Event& event);

}  // namespace batchscope::schema
