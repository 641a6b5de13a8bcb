#include "batchscope/watch/loop_end.hpp"

#include <algorithm>

namespace batchscope::watch {

double seconds_before_a_loop_has_ended(double longest_gap_seconds, double last_step_seconds) {
  constexpr double kGrace = 180, kLongestPause = 1800, kTimesAsLong = 1.5, kTimesTheStep = 3;
  return std::max({kGrace, kTimesAsLong * std::min(kLongestPause, longest_gap_seconds),
                   kTimesTheStep * last_step_seconds});
}

}  // namespace batchscope::watch
