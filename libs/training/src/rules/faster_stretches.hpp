#pragma once

#include <cstdint>
#include <deque>

namespace batchscope::training {

// Steps that are faster for a while and then just as before: those of an evaluation that are told
// under the name of the training. What is told as slower never counts as before. Levels are means
// of the logarithms of seconds, places the steps of this monitor.
class FasterStretches {
 public:
  // At step `index` steps became faster than `before`.
  void fell(int64_t index, double before);
  // At step `index` they became slower: whether they are as they were before a faster stretch, at
  // least twice as many steps as those and at least 200, of the last 2,000. `tolerance`: of the
  // level.
  bool is_back(int64_t index, double after, double tolerance) const;
  // At step `index` they became slower; `told`: which was told.
  void rose(int64_t index, bool told);
  void restart(int64_t index);

 private:
  struct Level {
    int64_t until = 0, steps = 0;
    double mean = 0;
  };

  std::deque<Level> levels_;  // that steps fell from
  int64_t since_ = 0;         // the last change
  bool is_told_ = false;      // the level since then
};

}  // namespace batchscope::training
