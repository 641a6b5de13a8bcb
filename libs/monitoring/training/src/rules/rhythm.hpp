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
  // Much longer than most, and kept when those of its time are forgotten.
  bool is_long = false;
  int64_t step = 0;            // its number
  double typical_seconds = 0;  // of those at its time
  double waited_seconds = 0;   // of the extra ones, for its batch, where that is told
  double size = 1;             // of its batch, in typical ones
  bool first_of_size = false;
  double full_extra_seconds = 0;  // with that of those it stands for

  double seconds() const { return typical_seconds + extra_seconds; }
  double times() const { return seconds() / typical_seconds; }  // as long as a typical one
  // A line of many steps takes many more where it is a few times as long.
  bool is_far_out() const { return times() > 2 && full_extra_seconds > 9 * typical_seconds; }
};

double typical_extra_seconds(std::span<const SlowStep> slow);  // a median; of at least one

// Slow steps at equal distances.
struct Rhythm {
  int64_t period = 0;           // steps
  double extra_seconds = 0;     // of one of them, a median
  double seconds_a_period = 0;  // in addition, of those that are there
  int64_t steps = 0;            // that are there
  double waited = 0;            // share of that in which they waited for their batches
};

// One is a few times the other, at about the same cost of a step.
bool are_the_same(const Rhythm& a, const Rhythm& b);

struct Rhythms {
  std::vector<Rhythm> found;     // those of the longest steps first
  std::vector<SlowStep> others;  // that belong to none
};

// At least four of a rhythm are there, more where chance would make some, and at least three of
// five that it should have, to the step, or to a hundredth of a long period; and it has not stopped
// `now`. Where steps fall apart by size, each size is looked at by itself. `slow` in the order of
// indices; those that are long may be older than all others.
Rhythms rhythms_of(std::span<const SlowStep> slow, int64_t now, std::size_t most);

// They are too few to say that there is none.
bool may_be_a_rhythm(std::span<const SlowStep> slow);

}  // namespace batchscope::training
