#pragma once

#include "batchscope/findings/metrics.hpp"

namespace batchscope::findings::metric {

// Of findings on the steps that a training loop told of.
inline constexpr Metric kStepsLonger{
    "steps_longer", kRatioUnit,
    "By how much a step takes longer than before, as a share of its time then; of geometric means "
    "of the steps without outliers."};
inline constexpr Metric kSampleLonger{
    "sample_longer", kRatioUnit,
    "By how much a sample takes longer than before, as a share of its time then, where batches "
    "became larger or smaller."};
inline constexpr Metric kSlowStepCost{
    "slow_step_cost", kRatioUnit,
    "What single slow steps take beyond a typical step, as a share of the time of all steps."};
inline constexpr Metric kSlowStepPeriod{"slow_step_period", "steps",
                                        "Steps from one slow step to the next."};
inline constexpr Metric kLoadingWait{
    "loading_wait", kRatioUnit,
    "Share of the time of steps in which the loop waited for their batches, as it says itself."};
inline constexpr Metric kLossRise{
    "loss_rise", "standard deviations",
    "How far a loss is above those before it, in robust standard deviations of these."};
inline constexpr Metric kLossGrowth{
    "loss_growth", "",
    "How far the loss is above its lowest, in its own unit; both are medians of many steps."};

}  // namespace batchscope::findings::metric
