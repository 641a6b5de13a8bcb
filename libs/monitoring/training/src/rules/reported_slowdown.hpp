#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "batchscope/findings/finding.hpp"
#include "rules/step_change.hpp"

// Slower steps of which a finding stands, at once or little by little, and when that is over.
namespace batchscope::training {

struct ReportedSlowdown {
  std::string key;    // of the finding
  int64_t since = 0;  // index of the first step that counts as after it
  StepLevel before;
  double size = 0, scatter = 0;  // of the logarithm of seconds, since then
  int64_t step = 0;              // its number
};

// The last steps that are known, without those before the last change.
struct LatestSteps {
  std::span<const StepFact> facts;
  std::span<const double> values;  // their logarithms of seconds
  bool since_change = false;       // else none was seen
};

// The time (ns) at which steps became as before, if that is seen, else of the last step; absent:
// they are not as before, or too few are known. Steps before the finding's own are left out: where
// the change is not seen in these, they hide it. `most`: it is judged by the last so many.
std::optional<int64_t> ended_at_ns(const ReportedSlowdown& reported, const LatestSteps& latest,
                                   std::size_t most);

// A new level ends a finding where it is nearer to the old one than this share of the change.
inline constexpr double kBack = 0.3;

// What came and went so many times before is no news each time: samples that are sorted by length,
// a neighbour.
findings::Finding less_if_often(findings::Finding finding, int times);

}  // namespace batchscope::training
