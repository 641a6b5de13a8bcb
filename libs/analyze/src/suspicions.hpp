#pragma once

#include <optional>
#include <vector>

#include "cause_rules.hpp"

namespace batchscope::analyze {

// One size of a table.
struct SizeSignals {
  std::size_t column = 0;
  ConfigSignals signals;
  double strength = 0;
};

// A cause whose signal stands at a batch size of a table.
struct CauseSuspicion {
  const CauseRule* rule = nullptr;
  SizeSignals at;                        // where the signal is strongest
  std::optional<SizeSignals> neighbour;  // the nearest size with at most half of it
};

// The causes that the signals of a table raise, the strongest first. Only tables on the CPU and
// with an unchanged environment: where an intervention is preset its signal is gone.
std::vector<CauseSuspicion> suspicions_of(const GroupData& group);

}  // namespace batchscope::analyze
