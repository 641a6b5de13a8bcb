#pragma once

#include <string>

#include "batchscope/findings/summary.hpp"

namespace batchscope::tables {

// "takes 25 % longer" or "takes 80 % less time (5.0 times as fast)", of an excess of time: 0.25,
// -0.8; of several sizes "take".
std::string slower_or_faster(double ratio, bool several = false);

// What follows a size that is better than the others suggest: how its throughput stands, for better
// than expected is not the best. Empty of one that is slower.
std::string positive_words(const findings::Group& group, int64_t batch_size, double ratio);

// What to do about a size that is slower than the others suggest; empty of one that is faster.
std::string departure_fix(int64_t batch_size, double ratio, bool proven);

}  // namespace batchscope::tables
