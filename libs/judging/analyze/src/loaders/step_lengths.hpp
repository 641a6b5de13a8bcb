#pragma once

#include <vector>

#include "batchscope/findings/loader_row.hpp"

// What a loop over a loader takes beside steps that were not measured.
namespace batchscope::analyze {

// Of lengths between those of `measured` (ascending, at least two). Beside a longer step an
// iteration takes longer by ever more, up to as much as the step, and waits less by ever less: so
// between two lengths the line through both is an upper bound, and the lines through the
// neighbouring pairs are lower ones. The value lies in the middle, the interval holds both bounds
// with those of the measured ones.
std::vector<findings::StepTime> between_lengths(const std::vector<findings::StepTime>& measured);

// Puts the shortest step that hardly waits (under 5 % of an iteration beyond `handover_ms`), with
// an interval out of those of the waits, or that there is none.
void put_shortest_step(double handover_ms, findings::LoaderRow& row);

}  // namespace batchscope::analyze
