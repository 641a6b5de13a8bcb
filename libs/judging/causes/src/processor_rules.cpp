// Causes in how the processor's work is spread, fed and clocked.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/findings/wording.hpp"
#include "cause_rules.hpp"

namespace batchscope::causes {
namespace {

using findings::Metric;
using findings::percent;
using findings::three_digits;
using schema::RunConfig;

constexpr Metric kBusyMaxOverMean{
    "busy_max_over_mean",
    "Processor time of the busiest thread, divided by the mean over the threads that work."};
constexpr Metric kLlcMissesRise{
    "llc_misses_rise",
    "Last-level cache misses per sample, divided by those at the next smaller size."};
constexpr Metric kIpcChange{"ipc_change",
                            "Instructions per cycle, divided by those at the next smaller size."};
constexpr Metric kClockChange{
    "clock_change",
    "Ratio of cycles to reference cycles, divided by that ratio at the next smaller size."};
constexpr Metric kCyclesChange{"cycles_change",
                               "Cycles per sample, divided by those at the next smaller size."};
constexpr Metric kRemoteShare{"remote_share",
                              "Share of the cache misses served by another socket."};

constexpr double kUneven = 1.2;
// Of the threads, that the busiest works for: the others do next to nothing.
constexpr double kAlone = 0.95;

Signal uneven_threads(const TableFacts& table, std::size_t at) {
  const SizeFacts& size = table.sizes[at];
  const int threads = size.config->config.threads;
  const auto imbalance =
      size.threads == nullptr ? std::nullopt : imbalance_of(*size.threads->diagnosis, threads);
  if (!imbalance) return {};
  const auto& busy = size.threads->diagnosis->thread_busy_ns;
  const double wall = mean_iteration_ns(*size.threads) * iterations_of(*size.threads);
  const double busy_share = std::min(static_cast<double>(busy.front()) / wall, 1.0);
  return {*imbalance >= kUneven ? (1 - 1 / *imbalance) * busy_share : 0,
          *imbalance >= kAlone * threads
              ? fmt::format("one of {} threads does nearly all the work", threads)
              : fmt::format("the busiest of {} threads works {} times as long as the "
                            "average thread",
                            threads, three_digits(*imbalance)),
          {evidence_of(kBusyMaxOverMean, *imbalance)}};
}

// As many copies as threads have no one to wait for.
std::optional<RunConfig> with_instances(const RunConfig& config) {
  if (config.threads < 2 || config.instances != 1) return std::nullopt;
  RunConfig changed = config;
  changed.instances = config.threads;
  changed.threads = 1;
  return changed;
}

std::optional<double> counted(const SizeFacts& size, const char* counter) {
  if (size.diagnosis() == nullptr) return std::nullopt;
  const auto found = size.diagnosis()->counters.find(counter);
  if (found == size.diagnosis()->counters.end() || found->second == 0) return std::nullopt;
  const double batches = iterations_of(*size.diagnostic);
  return static_cast<double>(found->second) / batches / static_cast<double>(size.batch_size());
}

// The ratio of two counters at a size over that at the size before it.
std::optional<double> change_of(const SizeFacts& size, const SizeFacts& before, const char* of,
                                const char* per) {
  const auto a = counted(size, of), b = counted(size, per);
  const auto c = counted(before, of), d = counted(before, per);
  if (!a || !b || !c || !d) return std::nullopt;
  return (*a / *b) / (*c / *d);
}

constexpr double kManyMoreMisses = 1.5;
constexpr double kFewerInstructions = 0.95;
constexpr double kAsManyFaults = 1.2;

bool faults_rise(const SizeFacts& size, const SizeFacts& before) {
  if (!size.usage || !before.usage) return false;
  return size.usage->minor_faults > 1000 &&
         size.usage->minor_faults > kAsManyFaults * before.usage->minor_faults;
}

Signal cache_overflow(const TableFacts& table, std::size_t at) {
  const SizeFacts& size = table.sizes[at];
  const SizeFacts* before = table.diagnosed_before(at);
  if (before == nullptr) return {};
  const auto here = counted(size, "llc_misses"), there = counted(*before, "llc_misses");
  const auto ipc = change_of(size, *before, "instructions", "cycles");
  if (!here || !there || !ipc) return {};
  const double rise = *here / *there;
  const bool is_active = size.odd && rise >= kManyMoreMisses && *ipc <= kFewerInstructions;
  return {
      is_active && !faults_rise(size, *before) ? 1 - *ipc : 0,
      fmt::format(
          "{} cache misses per sample, {} times those of batch {}, and {} as many instructions per "
          "cycle",
          three_digits(*here), three_digits(rise), before->batch_size(), percent(*ipc)),
      {evidence_of(kLlcMissesRise, rise), evidence_of(kIpcChange, *ipc)}};
}

// The same samples as smaller batches side by side, whose data fit the cache.
std::optional<RunConfig> with_smaller_batches(const RunConfig& config) {
  auto changed = with_instances(config);
  const bool divides = changed && config.shape.batch_size % changed->instances == 0;
  if (!divides || !config.shape.lengths.empty()) return std::nullopt;
  changed->shape.batch_size /= changed->instances;
  return changed;
}

constexpr double kSlowerClock = 0.97;
constexpr double kSameWork = 1.02;

Signal slower_clock(const TableFacts& table, std::size_t at) {
  const SizeFacts& size = table.sizes[at];
  const SizeFacts* before = table.diagnosed_before(at);
  if (before == nullptr) return {};
  const auto clock = change_of(size, *before, "cycles", "ref_cycles");
  const auto here = counted(size, "cycles"), there = counted(*before, "cycles");
  if (!clock || !here || !there) return {};
  Signal signal;
  signal.words =
      fmt::format("the clock runs at {} of its speed at batch {}, with {} of the cycles per sample",
                  percent(*clock), before->batch_size(), percent(*here / *there));
  signal.evidence = {evidence_of(kClockChange, *clock), evidence_of(kCyclesChange, *here / *there)};
  if (size.odd && *clock <= kSlowerClock && *here <= kSameWork * *there) {
    signal.strength = 1 - *clock;
  }
  return signal;
}

constexpr double kMuchRemote = 0.1;

Signal remote_memory(const TableFacts& table, std::size_t at) {
  const auto remote = counted(table.sizes[at], "remote_loads");
  const auto misses = counted(table.sizes[at], "llc_misses");
  if (!remote || !misses) return {};
  const double share = std::min(*remote / *misses, 1.0);
  return {share >= kMuchRemote ? share / 2 : 0,
          fmt::format("another socket serves {} of the cache misses", percent(share)),
          {evidence_of(kRemoteShare, share)}};
}

constexpr std::array kProcessorRules = {
    CauseRule{Row("cause.thread-imbalance", "The threads have unequal amounts of work",
                  Prose("The busiest thread works at least {} times as long as the average thread "
                        "(CPU time by thread; OMP_WAIT_POLICY=passive excludes waiting). "
                        "batchscope measures the same batch again as one single-threaded instance "
                        "per thread, and compares the times per sample.",
                        kUneven),
                  "Run more instances with fewer threads each, or choose a batch size that divides "
                  "evenly among the threads.",
                  kCauseSeverity,
                  metrics(&kBusyMaxOverMean, &findings::metric::kTimeSaved,
                          &findings::metric::kTimeSavedBeyondNeighbour)),
              "the threads have unequal amounts of work", DiagnosisPart::kernels, Where::cpu,
              uneven_threads, with_instances, "with as many single-threaded instances",
              "run several instances with fewer threads each (--instances), or choose a batch size "
              "that divides evenly among the threads",
              Judged::beyond_any_neighbour},
    CauseRule{Row("cause.last-level-cache", "A batch does not fit into the last-level cache",
                  Prose("The processor counts {} times the cache misses per sample of the next "
                        "smaller size and at least {%} fewer instructions per cycle. Page faults "
                        "do not rise, and a sample costs over {%} more. batchscope measures the "
                        "same samples as smaller batches in several instances.",
                        kManyMoreMisses, 1 - kFewerInstructions, kWorthACause),
                  "Run smaller batches in more instances.", kCauseSeverity,
                  metrics(&kLlcMissesRise, &kIpcChange, &findings::metric::kTimeSaved,
                          &findings::metric::kTimeSavedBeyondNeighbour)),
              "the data of a batch does not fit into the last-level cache", DiagnosisPart::kernels,
              Where::cpu, cache_overflow, with_smaller_batches,
              "as smaller batches in several instances",
              "run smaller batches in more instances (--instances)", Judged::beyond_any_neighbour},
    CauseRule{
        Row("cause.vector-clock", "Wide vectors lower the clock",
            Prose("The clock (cycles over reference cycles) is at least {%} lower than at "
                  "the next smaller size, with as many cycles per sample, and a sample costs "
                  "over {%} more. batchscope measures both sizes again with AVX2 only; the test is "
                  "whether this saves more than at the neighbour.",
                  1 - kSlowerClock, kWorthACause),
            "Limit the instruction set as in the finding, or leave it: the wide vectors may "
            "still be faster.",
            kCauseSeverity,
            metrics(&kClockChange, &kCyclesChange, &findings::metric::kTimeSaved,
                    &findings::metric::kTimeSavedBeyondNeighbour)),
        "wide vector instructions lower the processor's clock",
        DiagnosisPart::kernels,
        Where::cpu,
        slower_clock,
        with_older_instructions,
        "without AVX-512",
        {},
        Judged::beyond_neighbour},
    CauseRule{Row("cause.remote-memory", "Memory is on another socket",
                  "Another socket serves at least 10 % of the cache misses. No experiment tests "
                  "this cause, so it is only suspected.",
                  "Bind each instance's threads and memory to one socket (numactl).",
                  kCauseSeverity, metrics(&kRemoteShare)),
              "memory and threads are on different sockets",
              DiagnosisPart::memory,
              Where::cpu,
              remote_memory,
              nullptr,
              {},
              "numactl --cpunodebind=0 --membind=0 before the command, one instance per socket"}};

}  // namespace

std::span<const CauseRule> processor_rules() {
  return kProcessorRules;
}

}  // namespace batchscope::causes
