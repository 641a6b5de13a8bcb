#pragma once

#include <cstddef>
#include <set>

#include "batchscope/tune/replay.hpp"

namespace batchscope::truth {

// What a search came to: its pick, and the different points it measured.
struct Picked {
  std::size_t point = 0;
  std::set<std::size_t> measured;
};

// The quick searches that users have today, to be compared with; each measures a point once.

// Doubles the batch size until the throughput no longer grows, in the first setting.
Picked doubling(tune::Replay& replay);
// The largest batch size that runs, by bisection, in the first setting: what tools call the optimal
// batch size.
Picked largest_batch(tune::Replay& replay);
// From the smallest point to the best of its neighbors (batch size doubled or halved, every other
// setting one step up or down) until none is better, as Model Analyzer's quick search does.
Picked hill_climbing(tune::Replay& replay);

}  // namespace batchscope::truth
