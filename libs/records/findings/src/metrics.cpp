#include "batchscope/findings/metrics.hpp"

#include <algorithm>
#include <array>

#include "batchscope/findings/trace_metrics.hpp"
#include "kinds.hpp"

namespace batchscope::findings {
namespace {

constexpr std::array kOthers = {metric::kTime,
                                metric::kExcessOverSplit,
                                metric::kExcessOverLaw,
                                metric::kExcessOverNeighbours,
                                metric::kEffectiveBatch,
                                metric::kThroughput,
                                metric::kMemorySaved,
                                metric::kSlowerBy,
                                metric::kEffectiveBatchFactor,
                                metric::kLearningRateFactor,
                                metric::kOneMinusBetaFactor,
                                metric::kEpsilonFactor,
                                metric::kLossDifference,
                                metric::kActivationMemoryRatio,
                                metric::kTimeRatio,
                                metric::kOptimizerShare,
                                metric::kTimeSaved,
                                metric::kTimeSavedBeyondNeighbour,
                                metric::kMinorFaults,
                                metric::kMinorFaultsWithout,
                                metric::kSystemTimeShare,
                                metric::kCollectionShare,
                                metric::kCollections,
                                metric::kRecompilationShare,
                                metric::kAnonymousMemory,
                                metric::kHugePageShare,
                                metric::kDtlbMisses,
                                metric::kCreatedPrimitives,
                                metric::kCreationShare,
                                metric::kReorderShare,
                                metric::kPathShare,
                                metric::kBusyMaxOverMean,
                                metric::kLlcMissesRise,
                                metric::kIpcChange,
                                metric::kClockChange,
                                metric::kCyclesChange,
                                metric::kRemoteShare,
                                metric::kDeviceBusyShare,
                                metric::kGrowthADoubling,
                                metric::kLostInLastWaves,
                                metric::kNewKernelsShare,
                                metric::kDeviceAllocations,
                                metric::kPageableCopyShare,
                                metric::kPaddingShare,
                                metric::kLoadingShare,
                                metric::kTokenizationShare,
                                metric::kTransferShare,
                                metric::kDeviceIdleShare,
                                metric::kSynchronisationShare,
                                metric::kLoadingIdle,
                                metric::kSynchronisationIdle,
                                metric::kLaunchIdle,
                                metric::kHostIdle,
                                metric::kDeviceIdle,
                                metric::kLostLaunches,
                                metric::kHiddenTime,
                                metric::kCapturedLaunches,
                                metric::kDeviceBusy,
                                metric::kMedianKernel,
                                metric::kSmallLaunchShare,
                                metric::kExposedMemcpy,
                                metric::kPageableCopies,
                                metric::kExposedCommunication,
                                metric::kFullPrecisionShare,
                                metric::kKernelShare,
                                metric::kKernelCalls,
                                metric::kMemoryAStep,
                                metric::kPeakMemory,
                                metric::kActivationShare,
                                metric::kReservedOverAllocated,
                                metric::kAllocationShare,
                                metric::kWarmUpShare,
                                metric::kHostLoading,
                                metric::kHostCommunication,
                                metric::kHostUnrecorded,
                                metric::kHostOperator,
                                metric::kHostAlone,
                                metric::kHostLongSteps,
                                metric::kRecorderShare,
                                metric::kWaitedForRanks,
                                metric::kLastToArrive};

}  // namespace

std::span<const Metric> metrics_of_others() {
  return kOthers;
}

std::string metric_in_words(const Evidence& evidence) {
  if (!evidence.words.empty()) return std::string(evidence.words);
  std::string words = evidence.metric;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

Evidence evidence_of(const Metric& metric, const Estimate& estimate) {
  return {std::string(metric.name), estimate, std::string(metric.unit), metric.words};
}

Evidence evidence_of(const Metric& metric, double value) {
  return evidence_of(metric, Estimate{value, std::nullopt});
}

}  // namespace batchscope::findings
