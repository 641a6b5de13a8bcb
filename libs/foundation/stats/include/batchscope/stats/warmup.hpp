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
inline constexpr std::size_t kLongestWarmup = 10'000;

// How many iterations at the start of a visit are slower than those after them.
struct WarmupNeed {
  std::size_t iterations = 0;
  // False: the visits are too few, or too short to reach an index that is not slow; `iterations` is
  // then what could be shown.
  bool determined = false;
  std::size_t visits = 0;  // that were looked at
  // By how much the first iteration, and the last that is slow, take longer than those after the
  // warm-up: centres over visits, ln units.
  double first_excess = 0;
  double last_excess = 0;
};

// `visits`: the times of each visit's iterations in time order, warm-up first, > 0, in any unit.
// For each index the ratio to the median of the visit's last third after it is pooled over visits;
// an index is slow when the ratio's centre exceeds 1.01 and is above 1 with one-sided p < 0.05.
// Needed are all iterations up to the first two indices in a row that are not slow. From the 20th
// on iterations are taken together, a fifth more in each group, by their median: what settles by
// the clock may take hundreds of short ones. At least 6 visits, and 3 later iterations in each that
// counts. Not determined where the last tenth of the visits is faster than the third before it by
// over 2 % (p < 0.01): then it is there that something settled.
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
