#pragma once

#include <string>
#include <vector>

#include "choice.hpp"

namespace batchscope::analyze {

// The next doublings of the best size, where it is the largest measured and throughput still grows
// by more than kSaturationGain a doubling: at most two, and none that a budget or the law of the
// memory rules out. Empty where a larger size failed.
std::vector<int64_t> larger_sizes(const Choice& choice, const Pick& best);

// What to say of them; empty without any.
std::string growth_words(const Choice& choice, const findings::Recommendation& pick,
                         const Pick& best);

}  // namespace batchscope::analyze
