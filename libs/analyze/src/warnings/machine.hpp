#pragma once

#include <string>
#include <vector>

#include "batchscope/findings/answer.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::analyze {

// The machine as it was read during the visits that count.
struct MachineReading {
  findings::MachineFitness fitness = findings::MachineFitness::unknown;
  std::string words;  // "quiet", or what disturbed it, the worst first: one clause
  std::string fix;    // of the worst; empty: nothing
};

// Of all runs together: what a visit was disturbed by in any of them counts.
MachineReading machine_of(const std::vector<tables::RunView>& views);

}  // namespace batchscope::analyze
