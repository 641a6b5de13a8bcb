#pragma once

#include <string>
#include <vector>

#include "choice.hpp"

namespace batchscope::analyze {

// By how much throughput grows from one row of a table to a larger one, a doubling of the batch.
double gain_per_doubling(const findings::ConfigRow& from, const findings::ConfigRow& to);

// Less than this much more throughput for twice the batch is not worth the wait.
inline constexpr double kSaturationGain = 0.05;

// The next doublings of the best size, where it is the largest measured and throughput still grows
// by more than kSaturationGain a doubling: at most two, and none that a budget or the law of the
// memory rules out. Empty where a larger size failed.
std::vector<int64_t> larger_sizes(const Choice& choice, const Pick& best);

// What to say of them; empty without any.
std::string growth_words(const Choice& choice, const findings::Recommendation& pick,
                         const Pick& best);

}  // namespace batchscope::analyze
