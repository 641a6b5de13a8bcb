#pragma once

#include <cstddef>
#include <span>

namespace batchscope::stats {

// From here on an iteration is long: what settles with time (clocks, allocators) settles within few
// of them, so visits with long iterations are judged apart from those with short ones.
inline constexpr double kLongIterationNs = 2e8;

// Independent values, such as visits: fewer prove nothing, of whatever is tested.
inline constexpr std::size_t kFewestToTest = 6;
// Iterations of a visit that are looked at.
inline constexpr std::size_t kLongestWarmup = 200;

// How many iterations at the start of a visit are slower than those after them.
struct WarmupNeed {
  std::size_t iterations = 0;
  // False: the visits are too few, or too short to reach an index that is not slow; `iterations` is
  // then what could be shown.
  bool determined = false;
  std::size_t visits = 0;  // that were looked at
};

// `visits`: the times of each visit's iterations in time order, warm-up first, > 0, in any unit.
// For each index the ratio to the median of the visit's last third after it is pooled over visits;
// an index is slow when the ratio's centre exceeds 1.01 and is above 1 with one-sided p < 0.05.
// Needed are all iterations up to the first two indices in a row that are not slow. At least 6
// visits, and 3 later iterations in each that counts. Looks at the first 200 iterations only.
WarmupNeed needed_warmup(std::span<const std::span<const double>> visits);

// The same for visits with short and with long iterations (median, in ns), each judged by itself.
struct PooledWarmup {
  WarmupNeed short_iterations;
  WarmupNeed long_iterations;

  const WarmupNeed& of(double iteration_ns) const {
    return iteration_ns < kLongIterationNs ? short_iterations : long_iterations;
  }
};
PooledWarmup pooled_warmup(std::span<const std::span<const double>> visits_ns);

}  // namespace batchscope::stats
