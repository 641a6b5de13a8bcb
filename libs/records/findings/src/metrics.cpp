#include "batchscope/findings/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/findings/monitor_metrics.hpp"
#include "batchscope/findings/trace_metrics.hpp"
#include "batchscope/findings/training_metrics.hpp"

namespace batchscope::findings {
namespace {

constexpr std::array kMetrics = {metric::kTime,
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
                                 metric::kLastToArrive,
                                 metric::kStepsLonger,
                                 metric::kSampleLonger,
                                 metric::kSlowStepCost,
                                 metric::kSlowStepPeriod,
                                 metric::kLoadingWait,
                                 metric::kLossRise,
                                 metric::kLossGrowth,
                                 metric::kGpuBusy,
                                 metric::kBusySpread,
                                 metric::kSmActive,
                                 metric::kTensorActive,
                                 metric::kDramActive,
                                 metric::kGpuMemory,
                                 metric::kPowerShare,
                                 metric::kClockShare,
                                 metric::kTemperature,
                                 metric::kBrakedShare,
                                 metric::kClockLost,
                                 metric::kLoadingOfStep,
                                 metric::kWorkerCpu,
                                 metric::kBusiestThread,
                                 metric::kHottestCore,
                                 metric::kIoPressure,
                                 metric::kIoWait,
                                 metric::kProcessIoWait,
                                 metric::kCpuBusy,
                                 metric::kCpuPressure,
                                 metric::kQuotaThrottled,
                                 metric::kCpuSteal,
                                 metric::kHostMemory,
                                 metric::kMemoryPressure,
                                 metric::kSwapGrowth,
                                 metric::kGrowthAnHour,
                                 metric::kTimeUntilFull,
                                 metric::kAgainstOthers,
                                 metric::kXidErrors,
                                 metric::kUncorrectedErrors,
                                 metric::kLinkShare,
                                 metric::kReplaysAMinute,
                                 metric::kPossibleBatch};

}  // namespace

std::string metric_in_words(std::string_view name) {
  const auto* const known = std::find_if(kMetrics.begin(), kMetrics.end(),
                                         [&](const Metric& each) { return each.name == name; });
  if (known != kMetrics.end() && !known->words.empty()) return std::string(known->words);
  std::string words(name);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

Evidence evidence_of(const Metric& metric, const Estimate& estimate) {
  return {std::string(metric.name), estimate, std::string(metric.unit)};
}

Evidence evidence_of(const Metric& metric, double value) {
  return evidence_of(metric, Estimate{value, std::nullopt});
}

std::string metrics_markdown() {
  std::string text =
      "# Metrics\n\n"
      "What the numbers beside a finding measure: `evidence[].metric` in the JSON. "
      "`batchscope help metrics` prints this page. Of a *ratio*, 0.1 is 10 %.\n\n"
      "| metric | unit | what it is |\n|---|---|---|\n";
  for (const Metric& each : kMetrics) {
    text += fmt::format("| `{}` | {} | {} |\n", each.name, each.unit, each.meaning);
  }
  return text;
}

}  // namespace batchscope::findings
