#pragma once

#include <optional>
#include <span>

#include "batchscope/stats/change_points.hpp"
#include "rules/rule.hpp"

namespace batchscope::training {

// A change of the time of steps, with what changed at the same time.
inline constexpr std::size_t kChangeSteps = 600;     // that are looked at
inline constexpr int64_t kBatchesReportedFor = 512;  // steps

inline constexpr findings::Metric kStepsLonger{
    "steps_longer",
    "Extra time per step, as a share of the time before; from geometric means without outliers."};

extern const Kind kRegression, kBatchChange;

struct StepChange {
  const StepFact& at;            // the first step after it
  const StepFact &first, &last;  // where it may be as well
  stats::ChangePoint change;     // of the logarithm of seconds
  std::optional<double> batch_before, batch_after;
  std::optional<double> wait_before, wait_after;  // for batches, seconds a step

  bool has_other_batches() const;
};

// Of `facts`, whose times the change was found in.
StepChange step_change(std::span<const StepFact> facts, const stats::ChangePoint& change);

// "steps take 14 % longer (interval 12 to 16 %) since step 3120 (3115 to 3124); at the same time
// ..."
findings::Finding slower_steps(const StepChange& change, const RuleContext& scene);
// Of the logarithms of seconds of some steps.
struct StepLevel {
  double mean = 0, variance = 0;
};
inline StepLevel level_before(const stats::ChangePoint& change) {
  return {change.before, change.variance_before};
}
inline StepLevel level_after(const stats::ChangePoint& change) {
  return {change.after, change.variance_after};
}

// By how much the mean of the times of one is larger than that of the other, of 1: of exp(x) it is
// that of x and half of its variance, for any distribution up to its third cumulant. Where some
// steps become longer and others do not, the mean of the logarithms alone would say too little.
double excess_of(const StepLevel& after, const StepLevel& before);

// After a change back that is a part of one at `first_step`. `before`: that one.
findings::Finding still_slower(const StepChange& change, int64_t first_step,
                               const StepLevel& before, const RuleContext& scene);
// Because batches became smaller or larger: samples a second are what can be compared.
findings::Finding other_batches(const StepChange& change, const RuleContext& scene);

}  // namespace batchscope::training
