#pragma once

#include <optional>

#include "batchscope/timing/warmups.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {

// About how many fresh visits of each would settle the comparison at the scatter seen, by the
// rule that analyze has too (timing::blocks_that_would_tell).
std::optional<int> visits_to_settle(const findings::FreshContrast& contrast, double practical);

// Nobody is to change anything for nothing: where fresh visits do not show what the search found to
// be better than the default by `practical`, that is chosen, with the verdict and what would settle
// it. Without such visits the estimates of the search decide. The default may be chosen and keeps
// the bounds; where it is what the search found, nothing is done.
void hold_against_default(double practical, Tuned& tuned);

// The latency and the memory that all visits of a point showed, those of the comparison too;
// absent: it has none.
std::optional<Observation> seen_of(const schema::RunFile& run, std::size_t point, const Goal& goal,
                                   const timing::Warmups& warmups);

// What fresh visits say of what the search found: fills in the contrasts, `verified`, `withdrawn`
// and the verdict, and takes the default where nothing is shown to be better by `practical`.
// Standard and latency are there already. Of what keeps no bounds there is nothing to verify.
void judge(const schema::RunFile& run, const Search& search, double practical,
           const timing::Warmups& warmups, Tuned& tuned);

}  // namespace batchscope::tune
