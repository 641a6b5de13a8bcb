#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "rules/rhythm.hpp"
#include "rules/rule.hpp"

// What is told of single slow steps: which, and what was different about them.
namespace batchscope::training {

// From where on a step is slow: over a typical one, and in robust standard deviations.
inline constexpr double kLeastExtra = 0.25, kDeviations = 6;
// Shares of the time from where on it is told: of a rhythm, without one, of few that are far out.
inline constexpr double kLeastRhythm = 0.01, kIrregular = 0.03, kFewFarOut = 0.01;
inline constexpr int64_t kLookBack = 1000;

extern const Kind kPeriodic, kSlowSteps;

struct RhythmReported {
  Rhythm rhythm;
  int64_t period = 0;          // in numbers of steps: a loop may tell every tenth only
  double typical_seconds = 0;  // of a step
  double share = 0;            // of the time
  bool loading_is_reported = false;
};

// Of few steps between them, and far longer: workers of a loader that take turns, proven where the
// wait is told.
findings::Finding in_rhythm(const RhythmReported& reported, const RuleContext& scene);

struct IrregularReported {
  std::span<const SlowStep> slow;  // at least one, in their order
  double share = 0;                // of the time
  int64_t of_steps = 0;            // the last so many
  double share_of_all = 0;         // of the time of all steps until then
  bool are_many = false;
  std::span<const int64_t> before;  // numbers of those that were told earlier
};

findings::Finding without_rhythm(const IrregularReported& reported, const RuleContext& scene);

// "187", "32 and 187", "100 to 103", "3, 9, 12 and 5 others".
std::string numbers_of(std::span<const int64_t> steps);

}  // namespace batchscope::training
