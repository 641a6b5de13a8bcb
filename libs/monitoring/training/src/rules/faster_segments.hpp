#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace batchscope::training {

// Steps that are faster for a while and then just as before: those of an evaluation that are told
// under the name of the training. What is told as slower never counts as before. Levels are means
// of the logarithms of seconds, places the steps of this monitor.
class FasterSegments {
 public:
  // At step `index`, which the loop calls `step`, steps became faster than `before`.
  void fell(int64_t index, int64_t step, double before);
  // At step `index` they became slower: the step before which they were so already, for at least
  // 200 of the last 2,000 and twice as many as were faster since. `tolerance`: of the level. What
  // is so again and again is held against the first of these levels.
  std::optional<int64_t> as_before(int64_t index, double after, double tolerance);
  // At step `index` they became slower, which was told.
  void rose(int64_t index);
  void restart(int64_t index);

 private:
  struct Level {
    int64_t until = 0, until_step = 0, steps = 0;
    double mean = 0;
  };

  std::deque<Level> levels_;     // that steps fell from
  int64_t since_ = 0;            // the last change
  bool is_reported_ = false;     // the level since then
  std::optional<double> first_;  // the one that it is as
};

}  // namespace batchscope::training
