#pragma once

#include <optional>

#include "tables/run_view.hpp"

namespace batchscope::analyze {

// What the operating system charged for one iteration of a configuration, all threads together:
// medians over its visits.
struct ConfigSignals {
  double minor_faults = 0;
  double system_ns = 0;
  double iteration_ns = 0;  // wall time

  double system_share() const { return iteration_ns > 0 ? system_ns / iteration_ns : 0; }
};

// nullopt where no visit tells (imported, virtual time).
std::optional<ConfigSignals> signals_of(const std::vector<const schema::Visit*>& visits);
std::optional<ConfigSignals> signals_of(const ConfigData& config);

}  // namespace batchscope::analyze
