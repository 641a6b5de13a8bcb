#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "rules/step_change.hpp"

namespace batchscope::training {

// Steps that are faster for a while, and then as before: those of an evaluation that are told under
// the name of the training, short samples. What comes after them is held against what was before.
class FasterStretches {
 public:
  // At step `index` (of this monitor) steps became faster.
  void fell(int64_t index, const StepLevel& before);
  // At step `index` they became slower: the level that this is to be held against. Absent: that
  // just before, as the faster steps were more than half as many as those at the level before them.
  std::optional<StepLevel> rose(int64_t index, const StepLevel& before, const StepLevel& after);
  // What was before says nothing of what comes.
  void restart(int64_t index);

 private:
  struct Fall {
    int64_t index = 0, lasted = 0;  // lasted: steps at the level that it fell from
    StepLevel level;                // from there, or what that was slower than
  };

  static constexpr std::size_t kMost = 16;

  std::deque<Fall> falls_;
  int64_t since_ = 0;                     // of the level at which steps are now, without stretches
  std::optional<StepLevel> slower_than_;  // of that level, where it was told as slower
};

}  // namespace batchscope::training
