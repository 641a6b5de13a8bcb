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
    "The typical time of an iteration: the geometric mean over visits of their medians."};
inline constexpr Metric kExcessOverSplit{"excess_over_split", kRatioUnit,
                                         "What the batch takes beyond the cheapest other way to "
                                         "run its samples, over that: 0.2 is 20 % longer."};
inline constexpr Metric kExcessOverLaw{
    "excess_over_law", kRatioUnit,
    "What the size takes beyond the law of the others, over that; below 0 it is faster."};
inline constexpr Metric kExcessOverNeighbours{
    "excess_over_neighbours", kRatioUnit,
    "What the size takes beyond the straight line through its two neighbours, over that."};
inline constexpr Metric kEffectiveBatch{"effective_batch", "samples",
                                        "Samples a step: batch size times batches a step."};
inline constexpr Metric kThroughput{"throughput", "1/s",
                                    "Samples a second of the mean iteration, of all instances."};
inline constexpr Metric kMemorySaved{
    "memory_saved", kRatioUnit,
    "What the leanest way to make a step takes less of peak memory than the fastest, over that."};
inline constexpr Metric kSlowerBy{
    "slower_by", kRatioUnit,
    "What the leanest way to make a step takes longer than the fastest, over that."};
inline constexpr Metric kEffectiveBatchFactor{
    "effective_batch_factor", "factor", "Recommended samples a step over those trained with now."};
inline constexpr Metric kLearningRateFactor{"learning_rate_factor", "factor",
                                            "What the learning rate is to be multiplied by."};
inline constexpr Metric kOneMinusBetaFactor{
    "one_minus_beta_factor", "factor",
    "What 1 - beta of the optimizer is to be multiplied by, for each of its betas."};
inline constexpr Metric kEpsilonFactor{"epsilon_factor", "factor",
                                       "What epsilon of the optimizer is to be multiplied by."};
inline constexpr Metric kLossDifference{
    "loss_difference", kRatioUnit,
    "How far the losses of two ways of training are apart after as many steps, over the first."};
inline constexpr Metric kActivationMemoryRatio{
    "activation_memory_ratio", kRatioUnit,
    "The slope of peak memory against batch size with checkpointing over that without."};
inline constexpr Metric kTimeRatio{
    "time_ratio", kRatioUnit,
    "Time with checkpointing over that without, the geometric mean over batch sizes."};
inline constexpr Metric kOptimizerShare{
    "optimizer_share", kRatioUnit,
    "Share of an iteration that the phase `optimizer` takes, at the size where it is largest."};
inline constexpr Metric kTimeSaved{
    "time_saved", kRatioUnit,
    "Share of the time that the intervention saves; its interval is at the level of the verdict."};
inline constexpr Metric kTimeSavedBeyondNeighbour{
    "time_saved_beyond_neighbour", kRatioUnit,
    "The same at this size beyond what the intervention saves at the neighbouring one.",
    "time saved beyond the neighbour's"};
inline constexpr Metric kMinorFaults{"minor_faults", "an iteration",
                                     "Page faults that need no disk.", "page faults"};
inline constexpr Metric kMinorFaultsWithout{"minor_faults_without", "an iteration",
                                            "The same with the intervention.",
                                            "page faults without the cause"};
inline constexpr Metric kSystemTimeShare{"system_time_share", kRatioUnit,
                                         "Share of the processor time that the kernel takes.",
                                         "time in the kernel"};
inline constexpr Metric kAnonymousMemory{"anonymous_memory", "bytes",
                                         "Memory of the process that is no file."};
inline constexpr Metric kHugePageShare{"huge_page_share", kRatioUnit,
                                       "Share of that in transparent huge pages."};
inline constexpr Metric kDtlbMisses{
    "dtlb_misses", "an iteration",
    "Misses of the address cache, by the counters of the processor."};
inline constexpr Metric kCreatedPrimitives{"created_primitives", "an iteration",
                                           "Kernels that oneDNN makes anew."};
inline constexpr Metric kCreationShare{"creation_share", kRatioUnit,
                                       "Share of an undisturbed iteration that making them takes."};
inline constexpr Metric kReorderShare{
    "reorder_share", kRatioUnit, "Share of an undisturbed iteration that reorders of data take."};
inline constexpr Metric kPathShare{
    "path_share", kRatioUnit,
    "Share of an undisturbed iteration in the implementation that most of the products take."};
inline constexpr Metric kBusyMaxOverMean{
    "busy_max_over_mean", kRatioUnit,
    "Processor time of the busiest thread over the mean of the threads that work."};
inline constexpr Metric kLlcMissesRise{
    "llc_misses_rise", kRatioUnit,
    "Misses of the last-level cache a sample over those at the next smaller size."};
inline constexpr Metric kIpcChange{"ipc_change", kRatioUnit,
                                   "Instructions a cycle over those at the next smaller size."};
inline constexpr Metric kClockChange{
    "clock_change", kRatioUnit,
    "Cycles over reference cycles, over the same at the next smaller size."};
inline constexpr Metric kCyclesChange{"cycles_change", kRatioUnit,
                                      "Cycles a sample over those at the next smaller size."};
inline constexpr Metric kRemoteShare{"remote_share", kRatioUnit,
                                     "Share of the cache misses that another socket serves."};
inline constexpr Metric kDeviceBusyShare{
    "device_busy_share", kRatioUnit,
    "Share of the traced time with at least one kernel or copy running."};
inline constexpr Metric kGrowthADoubling{"growth_a_doubling", kRatioUnit,
                                         "Time of an iteration where the batch doubles, over that "
                                         "before, by the slope between two sizes."};
inline constexpr Metric kLostInLastWaves{"lost_in_last_waves", kRatioUnit,
                                         "Share of the traced time in the unfilled part of last "
                                         "waves that the smaller size does not need."};
inline constexpr Metric kNewKernelsShare{
    "new_kernels_share", kRatioUnit,
    "Share of the traced time in main kernels that the smaller size does not use."};
inline constexpr Metric kDeviceAllocations{
    "device_allocations", "an iteration",
    "Calls of the caching allocator for memory of the device."};
inline constexpr Metric kPageableCopyShare{
    "pageable_copy_share", kRatioUnit,
    "Share of the traced time in copies from or to memory that is not pinned."};
inline constexpr Metric kPaddingShare{"padding_share", kRatioUnit,
                                      "Share of the tokens of a batch that are padding."};
inline constexpr Metric kLoadingShare{"loading_share", kRatioUnit,
                                      "Share of an iteration spent waiting for the loader."};
inline constexpr Metric kTokenizationShare{
    "tokenization_share", kRatioUnit,
    "Share of an iteration that turning texts into tokens takes."};
inline constexpr Metric kTransferShare{
    "transfer_share", kRatioUnit,
    "Share of an iteration that copies between host and device take."};
inline constexpr Metric kDeviceIdleShare{"device_idle_share", kRatioUnit,
                                         "Share of the traced time without a kernel or a copy."};
inline constexpr Metric kSynchronisationShare{
    "synchronisation_share", kRatioUnit,
    "Share of the traced time in waits for the device inside the model."};

}  // namespace metric

// How a reader is told of the metric of that name; its own words where it is in the table.
std::string metric_in_words(std::string_view name);
Evidence evidence_of(const Metric& metric, const Estimate& estimate);
Evidence evidence_of(const Metric& metric, double value);
// docs/reference/metrics.md, whole.
std::string metrics_markdown();

}  // namespace batchscope::findings
