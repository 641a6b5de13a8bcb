#pragma once

#include "batchscope/timing/warmups.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {

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
