#pragma once

#include <cstddef>
#include <optional>

#include "batchscope/stats/warmup.hpp"

// What is enough evidence, one policy for the whole program (docs/design/method.md, 1.5 and 3).
namespace batchscope::timing {

// Complete blocks, pairs of visits or fresh visits: fewer prove nothing, of whatever is tested.
inline constexpr int kPairsToProve = static_cast<int>(stats::kFewestToTest);
// The same where odd blocks choose what even ones test.
inline constexpr int kPairsToProveAChoice = 12;
// Runs a side, where a run is the unit.
inline constexpr int kRunsToProve = 3;
// Visits: an interval of fewer says nothing that a reader could use.
inline constexpr int kVisitsForInterval = 3;
// Failures of a configuration, after which it is not tried again and not recommended.
inline constexpr int kFailuresToGiveUp = 2;

// About how many blocks (pairs, visits) would tell a gain from nothing, where `n` of them have an
// interval of `half_width` around it, both in ln units: twice those after which it would end at no
// gain, if gain and scatter stayed, for then it more likely shows than not; of fewer than are
// needed to prove anything, what Student's interval of so few is too wide is taken off first. At
// least one more than there are. Absent: more than anybody measures. `gain` > 0.
std::optional<int> blocks_that_would_tell(std::size_t n, double half_width, double gain);

}  // namespace batchscope::timing
