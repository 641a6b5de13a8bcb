#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace batchscope::watch {

// Where a loop that tells of its steps makes none: before the first, after the last, while it
// evaluates or writes a checkpoint. What GPUs do then is no news of the loop.
class Pauses {
 public:
  explicit Pauses(int64_t window_ns) : window_ns_(window_ns) {}

  // In the order of their times, or nearly.
  void add_step(int64_t time_ns, double seconds);
  // Whether most of this time is a pause, as far as is known now; never where no step was told.
  bool hold(int64_t from_ns, int64_t to_ns, int64_t now_ns) const;

 private:
  struct Pause {
    int64_t from_ns = 0, to_ns = 0;
  };
  // A longer time without a step is one.
  int64_t longest_gap_ns() const;

  int64_t window_ns_;
  std::optional<int64_t> last_step_ns_;
  std::deque<int64_t> gaps_ns_;  // of the last steps
  std::deque<Pause> pauses_;
};

}  // namespace batchscope::watch
