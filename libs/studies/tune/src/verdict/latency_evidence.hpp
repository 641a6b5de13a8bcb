#pragma once

#include "batchscope/timing/warmups.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {

// What the timed iterations of a point, of the visits that measured and the fresh ones, vouch for
// of the latency that the goal bounds. Iterations of a visit share a process, so intervals are over
// visits. The goal has a latency budget.
findings::LatencyCheck latency_evidence(const schema::RunFile& run, std::size_t point,
                                        const Goal& goal, const timing::Warmups& warmups);

// "p90 takes 31.6 ms (interval 31.2 ms to 32.0 ms), over the budget of 31.4 ms", where that is
// shown; else nothing.
std::string exceeds_budget(const findings::LatencyCheck& check, const Goal& goal);

}  // namespace batchscope::tune
