#pragma once

#include "batchscope/findings/summary.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::tables {

// Fills what a row says of its iterations beside their time: counts, mean, phases, preparing,
// memory, faults, system time, loss.
void fill_iteration_facts(const ConfigData& config, findings::ConfigRow& row);

}  // namespace batchscope::tables
