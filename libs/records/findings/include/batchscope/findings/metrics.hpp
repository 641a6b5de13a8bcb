#pragma once

#include <string>
#include <string_view>

#include "batchscope/findings/finding.hpp"

namespace batchscope::findings {

// What a number beside a finding measures.
struct Metric {
  std::string_view name;     // of Evidence and of the JSON
  std::string_view unit;     // "ratio": 0.1 is 10 %; "ms", "an iteration": so many in one; ...
  std::string_view meaning;  // a sentence of the reference
  // For a reader; empty: the name with blanks.
  std::string_view words = {};
};

namespace metric {

inline constexpr Metric kTime{
    "time", "ms",
    "Typical time of an iteration: the geometric mean over visits of each visit's median."};
inline constexpr Metric kExcessOverSplit{
    "excess_over_split", kRatioUnit,
    "Time in excess of the cheapest other way to run the same samples, as a share of the time of "
    "that way: 0.2 is 20 % longer."};
inline constexpr Metric kExcessOverLaw{
    "excess_over_law", kRatioUnit,
    "Time in excess of what the law fitted to the other sizes predicts, as a share of that "
    "prediction; negative: faster."};
inline constexpr Metric kExcessOverNeighbours{
    "excess_over_neighbours", kRatioUnit,
    "Time in excess of what a straight line through the two neighbouring sizes predicts, as a "
    "share of that prediction."};
inline constexpr Metric kEffectiveBatch{"effective_batch", "samples",
                                        "Samples per step: batch size times batches per step."};
inline constexpr Metric kThroughput{
    "throughput", "1/s", "Samples per second of all instances together, from the mean iteration."};
inline constexpr Metric kMemorySaved{"memory_saved", kRatioUnit,
                                     "Peak memory saved by the most memory-efficient way to make a "
                                     "step, as a share of the peak of the fastest way."};
inline constexpr Metric kSlowerBy{"slower_by", kRatioUnit,
                                  "Additional time of the most memory-efficient way to make a "
                                  "step, as a share of the time of the fastest way."};
inline constexpr Metric kEffectiveBatchFactor{
    "effective_batch_factor", "factor",
    "Recommended samples per step, divided by those in use now."};
inline constexpr Metric kLearningRateFactor{"learning_rate_factor", "factor",
                                            "Factor by which to multiply the learning rate."};
inline constexpr Metric kOneMinusBetaFactor{
    "one_minus_beta_factor", "factor",
    "Factor by which to multiply 1 - beta, for each beta of the optimizer."};
inline constexpr Metric kEpsilonFactor{"epsilon_factor", "factor",
                                       "Factor by which to multiply epsilon of the optimizer."};
inline constexpr Metric kLossDifference{
    "loss_difference", kRatioUnit,
    "Difference between the losses of two ways of training after the same number of steps, as a "
    "share of the first loss."};
inline constexpr Metric kActivationMemoryRatio{
    "activation_memory_ratio", kRatioUnit,
    "Slope of peak memory against batch size with checkpointing, divided by the slope without."};
inline constexpr Metric kTimeRatio{
    "time_ratio", kRatioUnit,
    "Time with checkpointing divided by the time without, as a geometric mean over batch sizes."};
inline constexpr Metric kOptimizerShare{
    "optimizer_share", kRatioUnit,
    "Share of an iteration that the phase `optimizer` takes, at the size where it is largest."};
inline constexpr Metric kTimeSaved{
    "time_saved", kRatioUnit,
    "Share of the time that the intervention saves; its interval is at the level of the verdict."};
inline constexpr Metric kTimeSavedBeyondNeighbour{
    "time_saved_beyond_neighbour", kRatioUnit,
    "Share of the time that the intervention saves at this size, beyond what it saves at the "
    "neighbouring size.",
    "time saved beyond the neighbour's"};
inline constexpr Metric kMinorFaults{"minor_faults", "an iteration",
                                     "Page faults that need no disk access.", "page faults"};
inline constexpr Metric kMinorFaultsWithout{
    "minor_faults_without", "an iteration",
    "Page faults that need no disk access, with the intervention.",
    "page faults without the cause"};
inline constexpr Metric kSystemTimeShare{"system_time_share", kRatioUnit,
                                         "Share of the processor time spent in the kernel.",
                                         "time in the kernel"};
inline constexpr Metric kCollectionShare{
    "collection_share", kRatioUnit, "Share of the timed part spent in Python's garbage collector.",
    "garbage collection"};
inline constexpr Metric kCollections{"collections", "an iteration",
                                     "Collections of Python's garbage collector per iteration."};
inline constexpr Metric kRecompilationShare{
    "recompilation_share", kRatioUnit, "Share of the timed part spent compiling the model anew.",
    "recompilation"};
inline constexpr Metric kAnonymousMemory{
    "anonymous_memory", "bytes", "Anonymous memory of the process: memory that no file backs."};
inline constexpr Metric kHugePageShare{"huge_page_share", kRatioUnit,
                                       "Share of the anonymous memory in transparent huge pages."};
inline constexpr Metric kDtlbMisses{
    "dtlb_misses", "an iteration",
    "Misses of the processor's cache of data addresses (dTLB), from its counters."};
inline constexpr Metric kCreatedPrimitives{"created_primitives", "an iteration",
                                           "Kernels that oneDNN creates again."};
inline constexpr Metric kCreationShare{
    "creation_share", kRatioUnit,
    "Share of an undisturbed iteration spent creating oneDNN's kernels again."};
inline constexpr Metric kReorderShare{"reorder_share", kRatioUnit,
                                      "Share of an undisturbed iteration spent reordering data."};
inline constexpr Metric kPathShare{"path_share", kRatioUnit,
                                   "Share of an undisturbed iteration spent in the implementation "
                                   "that takes most of the matrix products' time."};
inline constexpr Metric kBusyMaxOverMean{
    "busy_max_over_mean", kRatioUnit,
    "Processor time of the busiest thread, divided by the mean over the threads that work."};
inline constexpr Metric kLlcMissesRise{
    "llc_misses_rise", kRatioUnit,
    "Last-level cache misses per sample, divided by those at the next smaller size."};
inline constexpr Metric kIpcChange{
    "ipc_change", kRatioUnit, "Instructions per cycle, divided by those at the next smaller size."};
inline constexpr Metric kClockChange{
    "clock_change", kRatioUnit,
    "Ratio of cycles to reference cycles, divided by that ratio at the next smaller size."};
inline constexpr Metric kCyclesChange{
    "cycles_change", kRatioUnit, "Cycles per sample, divided by those at the next smaller size."};
inline constexpr Metric kRemoteShare{"remote_share", kRatioUnit,
                                     "Share of the cache misses served by another socket."};
inline constexpr Metric kDeviceBusyShare{
    "device_busy_share", kRatioUnit,
    "Share of the traced time with at least one kernel or copy running."};
inline constexpr Metric kGrowthADoubling{"growth_a_doubling", kRatioUnit,
                                         "Factor by which the time of an iteration grows when the "
                                         "batch doubles, from the slope between two sizes."};
inline constexpr Metric kLostInLastWaves{"lost_in_last_waves", kRatioUnit,
                                         "Share of the traced time spent in the unfilled part of "
                                         "final waves that the smaller size does not need."};
inline constexpr Metric kNewKernelsShare{
    "new_kernels_share", kRatioUnit,
    "Share of the traced time spent in main kernels that the smaller size does not use."};
inline constexpr Metric kDeviceAllocations{
    "device_allocations", "an iteration",
    "Calls in which the caching allocator requests memory from the device."};
inline constexpr Metric kPageableCopyShare{
    "pageable_copy_share", kRatioUnit,
    "Share of the traced time spent copying from or to memory that is not pinned."};
inline constexpr Metric kPaddingShare{"padding_share", kRatioUnit,
                                      "Share of the tokens of a batch that are padding."};
inline constexpr Metric kLoadingShare{"loading_share", kRatioUnit,
                                      "Share of an iteration spent waiting for the loader."};
inline constexpr Metric kTokenizationShare{"tokenization_share", kRatioUnit,
                                           "Share of an iteration spent on tokenization."};
inline constexpr Metric kTransferShare{
    "transfer_share", kRatioUnit, "Share of an iteration spent copying between host and device."};
inline constexpr Metric kDeviceIdleShare{"device_idle_share", kRatioUnit,
                                         "Share of the traced time without a kernel or a copy."};
inline constexpr Metric kSynchronisationShare{
    "synchronisation_share", kRatioUnit,
    "Share of the traced time spent waiting for the device inside the model."};

}  // namespace metric

// How a reader is told of what it measures.
std::string metric_in_words(const Evidence& evidence);
Evidence evidence_of(const Metric& metric, const Estimate& estimate);
Evidence evidence_of(const Metric& metric, double value);

}  // namespace batchscope::findings
