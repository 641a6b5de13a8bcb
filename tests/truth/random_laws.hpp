#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "batchscope/stats/rng.hpp"

namespace batchscope::truth {

// A law of the synthetic engine drawn at random, for sizes up to `largest`.
using Law = std::function<std::string(stats::Rng& rng, int64_t largest)>;

// Coefficients over a wide range, ms.
std::string random_affine(stats::Rng& rng, int64_t largest);
// A roof whose bends fall anywhere among the sizes.
std::string random_roofline(stats::Rng& rng, int64_t largest);
std::string random_staircase(stats::Rng& rng, int64_t largest);
// No law of the search, and nothing odd: every size follows the same smooth curve. For sizes of 1
// to 8, 12 and 16.
std::string random_convex(stats::Rng& rng, int64_t largest);
// Two straight pieces that meet anywhere among the sizes; the same sizes.
std::string random_kink(stats::Rng& rng, int64_t largest);
// A staircase whose steps are 1.5 to 4 samples wide, not a whole number of them.
std::string random_fractional_waves(stats::Rng& rng, int64_t largest);
// Time a sample that rises smoothly, by at most 30 % an octave, anywhere among the sizes.
std::string random_cache_step(stats::Rng& rng, int64_t largest);
// The same work for every sample, 0.1 to 1 ms.
std::string random_flat(stats::Rng& rng, int64_t largest);

}  // namespace batchscope::truth
