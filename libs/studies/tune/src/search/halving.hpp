#pragma once

#include <vector>

#include "batchscope/tune/search.hpp"
#include "knowledge.hpp"

namespace batchscope::tune {

// The points with visits, the best first: those that keep the bounds by cost, then the others by
// how far they miss them.
std::vector<std::size_t> ranked(const Knowledge& known);

// One more visit of each point that was seen once only, in one round; empty where that would take
// too much of the time that is left.
std::vector<Suggestion> look_twice(const Knowledge& known, const TimeBudget& purse);

// Successive halving (Jamieson and Talwalkar 2016): half as many points get about twice as many
// visits, until two are left. One more visit of each that lacks some; empty when none does.
std::vector<Suggestion> halve(const Knowledge& known);

}  // namespace batchscope::tune
