#pragma once

#include <optional>
#include <vector>

#include "cause_rules.hpp"

namespace batchscope::analyze {

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
// nothing else; `only` names the parts of the diagnosis that are wanted, empty: all. Not for tables
// with a changed environment: where an intervention is preset its signal is gone.
std::vector<CauseSuspicion> suspicions_of(const TableFacts& table,
                                          const std::vector<std::string>& only);

}  // namespace batchscope::analyze
