#pragma once

#include <string>
#include <string_view>

#include "batchscope/findings/finding.hpp"

namespace batchscope::findings {

// What a number beside a finding measures.
struct Metric {
  std::string_view name;               // of Evidence and of the JSON
  std::string_view meaning;            // a sentence of the reference
  std::string_view unit = kRatioUnit;  // 0.1 is 10 %; "ms", "an iteration": so many in one; ...
  std::string_view words = {};         // for a reader; empty: the name with blanks
};

// Those that others than who finds them ask for; the others stand beside their rule.
namespace metric {

inline constexpr Metric kExcessOverSplit{
    "excess_over_split",
    "Extra time compared with the fastest other way to run the same samples: 0.2 is 20 % longer."};
inline constexpr Metric kExcessOverLaw{"excess_over_law",
                                       "Extra time compared with the prediction of the law fitted "
                                       "to the other sizes; negative: faster."};
inline constexpr Metric kExcessOverNeighbours{
    "excess_over_neighbours",
    "Extra time compared with a straight line through the two neighbouring sizes."};
inline constexpr Metric kTimeSaved{
    "time_saved",
    "Share of the time that the intervention saves; its CI has the level of the verdict."};
inline constexpr Metric kTimeSavedBeyondNeighbour{
    "time_saved_beyond_neighbour",
    "Share of the time that the intervention saves here, minus the share at the neighbouring size.",
    kRatioUnit, "time saved beyond the neighbour's"};

}  // namespace metric

// How a reader is told of what it measures.
std::string metric_in_words(const Evidence& evidence);
Evidence evidence_of(const Metric& metric, const Estimate& estimate);
Evidence evidence_of(const Metric& metric, double value);

}  // namespace batchscope::findings
