#pragma once

#include <optional>
#include <span>
#include <vector>

#include "open_comparison.hpp"

namespace batchscope::analyze {

// A slow-down held against a margin, by the plain mean and the trimmed mean; ln units.
struct SlowdownTest {
  bool is_over = false;       // both show it to be over the margin, at the level Holm leaves it
  bool is_within = false;     // both show it to be below the margin
  double at_least = 0;        // the lower of both lower bounds, at that level
  double at_most = 0;         // the higher of both upper bounds, at options.level
  double smallest_shown = 0;  // an estimate from here on would have been over the margin
  // By how much n has to grow so that a bound clears the margin in 4 of 5 such experiments, should
  // the estimates stay; absent where they lie on either side of the margin, or on it.
  std::optional<double> growth;
};

// One for each of `tested`, which hold both estimates; one Holm family.
std::vector<SlowdownTest> test_slowdowns(std::span<const Open* const> tested, double margin,
                                         const Options& options);

}  // namespace batchscope::analyze
