#pragma once

#include <optional>
#include <vector>

#include "cause_rules.hpp"

namespace batchscope::causes {

// One size of a table, with a cause's signal there.
struct SizeSignal {
  std::size_t column = 0;
  Signal signal;
};

// A cause whose signal stands at a batch size of a table.
struct CauseSuspicion {
  const CauseRule* rule = nullptr;
  SizeSignal at;                        // where the signal is strongest
  std::optional<SizeSignal> neighbour;  // the nearest size with at most half of it
};

// The causes that the signals of a table raise, the strongest first, a guess only where there is
// nothing else; of the parts of the diagnosis that the run's plan names, empty: all. For tables of
// the plainest environment that was asked for: under another, a cause shows as what the environment
// changes. Not those whose experiment sets a variable that is set there already: its signal may be
// gone.
std::vector<CauseSuspicion> suspicions_of(const schema::RunFile& run, const TableFacts& table);

}  // namespace batchscope::causes
