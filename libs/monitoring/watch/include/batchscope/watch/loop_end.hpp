#pragma once

namespace batchscope::watch {

// For how many seconds a loop that told of steps may tell of none before it counts as ended: an
// evaluation is no end, nor the second time one that takes as long as the first, nor is a long
// step. `longest_gap_seconds`: ever, from one step to the next; what took longer than half an hour
// was an end, after which the loop began anew.
double seconds_before_a_loop_has_ended(double longest_gap_seconds, double last_step_seconds);

}  // namespace batchscope::watch
