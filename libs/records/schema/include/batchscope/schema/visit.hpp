#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/diagnostic.hpp"
#include "batchscope/schema/diagnosis.hpp"
#include "batchscope/schema/kinds.hpp"
#include "batchscope/schema/open_enum.hpp"
#include "batchscope/schema/resources.hpp"
#include "batchscope/schema/shape.hpp"

namespace batchscope::schema {

// No time of a visit is longer (11 days), and no number of a block, order or attempt larger: what
// is was not measured, and sums of such would overflow.
inline constexpr int64_t kLongestNs = 1'000'000'000'000'000;
inline constexpr int kLargestNumber = 1'000'000'000;

// One named phase, summed over the timed iterations of a visit (not per iteration), of all its
// instances. `prepare` is not part of an iteration and is summed over the batches prepared.
struct Phase {
  std::string name;  // those that mean something: phases.hpp
  int64_t host_ns = 0;
  std::optional<int64_t> device_ns;  // where the device has its own clock
  int64_t count = 0;                 // how many times it was timed
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
  std::optional<LoaderFacts> loader;       // training over a DataLoader in Python
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
struct Event : base::Diagnostic<RunPlace> {
  OpenEnum<EventKind> kind{};
  int64_t wall_ns = 0;  // that a visit which failed took; 0: none, or not recorded
};
// What happened, behind its kind where it cost a visit: "out-of-memory: killed at 8 GiB".
std::string in_words(const Event& event);
// Whether it tells of a visit that came to nothing, in whichever way.
inline bool is_failure(const Event& event) {
  return event.kind != EventKind::warning && event.kind != EventKind::other;
}

}  // namespace batchscope::schema
