#pragma once

#include "batchscope/tables/block_table.hpp"
#include "departure.hpp"

namespace batchscope::tables {

// ln: how far one size between the ends has to be off the line of the others to be proven odd in at
// least four of five runs that scatter like this one; of the size that hides most. `options.alpha`
// is what a claim has to stay below. Infinite where nothing can be.
//
// The columns are moved onto one line, so that the blocks keep their scatter alone, and the size is
// moved off it until find_departure() names it: what is found in half of such runs. The others need
// what smallest_detectable() adds.
double departure_to_be_proven(const BlockTable& table, const DepartureOptions& options);

}  // namespace batchscope::tables
