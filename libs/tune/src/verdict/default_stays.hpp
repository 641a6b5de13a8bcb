#pragma once

#include <optional>

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

}  // namespace batchscope::tune
