#pragma once

#include <optional>
#include <span>
#include <vector>

#include "comparisons/open_comparison.hpp"

namespace batchscope::compare {

// A slow-down held against a margin, of typical iterations and of mean ones, each by the trimmed
// mean over visits and by one of all visits; ln units.
struct SlowdownTest {
  // Of typical or of mean iterations, the trimmed mean and that of all visits but one accident in a
  // dozen show it to be over the margin, at the level that Holm leaves them.
  bool is_over = false;
  bool is_within = false;  // the trimmed and the plain means of both show it to be below it
  double value = 0;        // what was measured of the iterations that the outcome rests on
  double at_least = 0;     // their lower bound, at that level
  double at_most = 0;      // the highest of these four upper bounds, at options.level
  double at_best = 0;      // the lowest of these four lower bounds, at options.level
  double detectable = 0;   // a true one from here on is over in at least 4 of 5 such experiments,
                           // also where it is the only one
  double smallest_shown = 0;  // an estimate from here on would have been over the margin
  bool by_mean = false;       // mean iterations decide, and typical ones tell something else
  // By how much n has to grow so that a bound clears the margin in 4 of 5 such experiments, should
  // the estimates stay; absent where they lie on either side of the margin, or on it.
  std::optional<double> growth;
};

// One for each of `tested`, which hold all estimates of both; one Holm family.
std::vector<SlowdownTest> test_slowdowns(std::span<const Open* const> tested, double margin,
                                         const tables::TestOptions& options);

}  // namespace batchscope::compare
