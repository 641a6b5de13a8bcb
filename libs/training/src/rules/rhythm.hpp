#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace batchscope::training {

// A step that took much longer than a typical one.
struct SlowStep {
  int64_t index = 0;
  double extra_seconds = 0;
};

// Slow steps at equal distances.
struct Rhythm {
  int64_t period = 0;        // steps
  double extra_seconds = 0;  // of one of them, a median
};

struct Rhythms {
  std::vector<Rhythm> found;     // the one that explains most first
  std::vector<SlowStep> others;  // that belong to none
};

// At least four of a rhythm are there, more where chance would make some, and at least three of
// five that it should have, to the step; and it has not stopped `now`. `slow` in the order of
// indices.
Rhythms rhythms_of(std::span<const SlowStep> slow, int64_t now, std::size_t most);

}  // namespace batchscope::training
