#pragma once

#include <vector>

#include "batchscope/tune/search.hpp"
#include "knowledge.hpp"

namespace batchscope::tune {

// The points with visits, the best first: those that keep the bounds by cost, then the others by
// how far they miss them.
std::vector<std::size_t> ranked(const Knowledge& known);

// Successive halving (Jamieson and Talwalkar 2016): half as many points get about twice as many
// visits, until two are left. One more visit of each that lacks some; empty when none does.
std::vector<Ask> halve(const Knowledge& known);

// Visits that halving may take.
int halving_visits();

}  // namespace batchscope::tune
